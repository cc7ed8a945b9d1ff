internal import Foundation
internal import Glibc

/// What is wrong with a run's folder, in one line.
package struct RunFolderError: Error, Sendable, Equatable, CustomStringConvertible {
    package let description: String

    /// What is wrong with a file or folder.
    init(_ path: String, _ why: String) { description = "\(path): \(why)" }

    /// What the system said of a file or folder last.
    init(system path: String) { self.init(path, String(cString: strerror(errno))) }
}
