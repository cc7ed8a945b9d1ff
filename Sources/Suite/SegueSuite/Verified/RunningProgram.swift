internal import Foundation
internal import SegueFFmpeg
internal import SegueOrigin

/// What verifies: the program, the libraries that it has loaded, and the processor.
///
/// What another program found out, or the same one with another libav, is not believed. Coded sound and pictures may
/// also depend on what the processor can do.
struct RunningProgram: Sendable {
    /// A checksum over all of it.
    let checksum: String
    private let files: Set<String>

    /// What runs now; nil where it cannot be read, as that of a program which was replaced meanwhile cannot.
    init?(_ before: VerifiedBefore) {
        let files = LoadedFiles.paths
        // What cannot tell even this from another program believes nothing.
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

    /// A program by its checksum, and what of this process counts for a part of it.
    init(checksum: String, files: Set<String> = LoadedFiles.paths) { (self.checksum, self.files) = (checksum, files) }

    /// The libraries that were loaded since, by path, with their checksums; nil where one cannot be read.
    func loadedSince(_ before: VerifiedBefore) -> [String: String]? {
        var later: [String: String] = [:]
        for path in LoadedFiles.paths.subtracting(files) {
            guard let sum = before.checksum(ofFileAt: path) else { return nil }
            later[path] = sum
        }
        return later
    }

    /// What the first processor is and can do, as proc(5) has it.
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
