import CDispatch
import Foundation
import Media

/// A name for the very program that runs, its libraries included.
enum ProgramVersion {
    /// A text that changes when the program or a library that it has loaded is replaced.
    ///
    /// The bytes of a segment follow from the file and from the program that makes them; what another version of either
    /// made is not to be found again.
    static let text: String = {
        let files = LoadedFiles.paths.sorted().map { path in
            var status = stat()
            guard stat(path, &status) == 0 else { return path }
            return "\(path) \(status.st_size) \(status.st_mtim.tv_sec).\(status.st_mtim.tv_nsec)"
        }
        return StableHash.hex(Array((MediaLibraries.versions + "\n" + files.joined(separator: "\n")).utf8))
    }()
}
