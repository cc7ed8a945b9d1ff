internal import Foundation
internal import SegueFFmpeg
internal import SegueOrigin

/// The verifier: the program, its loaded libraries, and the processor.
///
/// Facts found by another program, or with another version of libav, are not used. Encoded audio and video may also
/// depend on the processor's features.
struct RunningProgram: Sendable {
    /// A checksum over all of it.
    let checksum: String
    private let files: Set<String>

    /// - Returns: Nil if the program cannot be read, for example because it was replaced meanwhile.
    init?(_ before: VerificationCache) {
        let files = LoadedFiles.paths
        // A program that cannot be identified must not use stored facts.
        guard let own = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe"),
            files.contains(own)
        else { return nil }
        var words = [MediaLibraries.versions, Self.processor]
        for path in files.sorted() {
            guard let sum = before.checksum(ofFileAt: path) else { return nil }
            words.append("\(path) \(sum)")
        }
        self.files = files
        checksum = Checksum.sha256(Array(words.joined(separator: "\n").utf8))
    }

    /// `files` are the files of this process that are part of the program.
    init(checksum: String, files: Set<String> = LoadedFiles.paths) { (self.checksum, self.files) = (checksum, files) }

    /// The checksums of the libraries loaded since, by path; nil if one cannot be read.
    func loadedSince(_ before: VerificationCache) -> [String: String]? {
        var later: [String: String] = [:]
        for path in LoadedFiles.paths.subtracting(files) {
            guard let sum = before.checksum(ofFileAt: path) else { return nil }
            later[path] = sum
        }
        return later
    }

    /// The model and features of the first processor, from proc(5).
    private static var processor: String {
        let names: Set = [
            "vendor_id", "cpu family", "model", "model name", "stepping", "flags",
            "CPU implementer", "CPU architecture", "CPU variant", "CPU part", "Features",
        ]
        let text = SystemText.contents(of: "/proc/cpuinfo")
        let first = text.split(separator: "\n", omittingEmptySubsequences: false).prefix { !$0.isEmpty }
        let lines = first.filter { line in
            names.contains(line.prefix { $0 != ":" }.trimmingCharacters(in: .whitespaces))
        }
        return lines.joined(separator: "\n")
    }
}
