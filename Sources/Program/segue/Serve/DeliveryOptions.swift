import ArgumentParser
import Foundation
import SegueOrigin

/// The options for caching and prefetching.
struct DeliveryOptions: ParsableArguments {
    @Option(help: ArgumentHelp("The folder for a cache of encoded segments.", valueName: "dir"))
    var cache: String?

    @Option(help: ArgumentHelp("The maximum size of the --cache folder.", valueName: "size"))
    var cacheSize = ByteCount(4 << 30)

    @Option(
        help: ArgumentHelp(
            "The number of segments to encode before they are requested; 0 for none.",
            valueName: "segments"
        )
    )
    var ahead: Int = ProcessInfo.processInfo.activeProcessorCount + 1

    func validate() throws {
        guard (0...64).contains(ahead) else { throw ValidationError("--ahead must be from 0 to 64") }
        guard cacheSize.bytes >= 1 << 20 else { throw ValidationError("--cache-size must be at least 1M") }
    }

    /// The limits of memory and prefetching.
    var limits: Responder.Limits {
        .init(sendingBytes: 8 << 20, ahead: ahead, encoders: ProcessInfo.processInfo.activeProcessorCount)
    }

    /// The cache on disk; nil without one.
    ///
    /// - Throws: ``CommandFailure`` if the folder cannot be used.
    func disk() throws -> DiskCache? {
        guard let cache else { return nil }
        do {
            return try DiskCache(path: cache, limit: cacheSize.bytes) { StandardError.write("segue: \($0)\n") }
        } catch {
            throw CommandFailure(error)
        }
    }
}

/// A size such as `500M` or `4G`.
struct ByteCount: ExpressibleByArgument {
    let bytes: Int64

    init(_ bytes: Int64) { self.bytes = bytes }

    init?(argument: String) {
        let units: [Character: Int64] = ["K": 1 << 10, "M": 1 << 20, "G": 1 << 30, "T": 1 << 40]
        let unit = argument.last.flatMap { units[Character($0.uppercased())] }
        guard let number = Int64(unit == nil ? argument[...] : argument.dropLast()), number >= 0 else { return nil }
        let (bytes, isTooMuch) = number.multipliedReportingOverflow(by: unit ?? 1)
        guard !isTooMuch else { return nil }
        self.bytes = bytes
    }

    var defaultValueDescription: String {
        for (unit, size) in [("T", Int64(1) << 40), ("G", 1 << 30), ("M", 1 << 20), ("K", 1 << 10)]
        where bytes >= size && bytes % size == 0 {
            return "\(bytes / size)\(unit)"
        }
        return "\(bytes)"
    }
}
