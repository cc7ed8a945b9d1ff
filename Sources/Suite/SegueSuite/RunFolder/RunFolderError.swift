internal import Foundation
internal import Glibc

/// An error about a run folder, in one line.
package struct RunFolderError: Error, Sendable, Equatable, CustomStringConvertible {
    package let description: String

    init(_ path: String, _ why: String) { description = "\(path): \(why)" }

    /// The system's last error about a file or folder.
    init(system path: String) { self.init(path, String(cString: strerror(errno))) }
}
