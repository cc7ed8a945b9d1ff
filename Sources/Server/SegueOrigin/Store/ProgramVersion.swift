import SegueConcurrency
import SegueFFmpeg

/// The version of the running program and its libraries.
enum ProgramVersion {
    /// A text that changes when the program or a loaded library is replaced.
    ///
    /// The bytes of a segment depend on the file and on the program, so a cache must not return those of another
    /// version.
    static let text: String = {
        let files = LoadedFiles.paths.sorted().map { path in
            guard let status = FileStatus(path: path) else { return path }
            return "\(path) \(status.size) \(status.modifiedNanoseconds)"
        }
        return StableHash.hex(Array((MediaLibraries.versions + "\n" + files.joined(separator: "\n")).utf8))
    }()
}
