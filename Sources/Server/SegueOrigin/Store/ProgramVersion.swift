import SegueConcurrency
import SegueFFmpeg

/// A name for the very program that runs, its libraries included.
enum ProgramVersion {
    /// A text that changes when the program or a library that it has loaded is replaced.
    ///
    /// The bytes of a segment follow from the file and from the program that makes them; what another version of either
    /// made is not to be found again.
    static let text: String = {
        let files = LoadedFiles.paths.sorted().map { path in
            guard let status = FileStatus(path: path) else { return path }
            return "\(path) \(status.size) \(status.modifiedNanoseconds)"
        }
        return StableHash.hex(Array((MediaLibraries.versions + "\n" + files.joined(separator: "\n")).utf8))
    }()
}
