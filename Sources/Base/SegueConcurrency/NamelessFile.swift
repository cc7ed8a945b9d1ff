internal import Foundation

/// A temporary file without a name, which vanishes with its last open descriptor, however the program ends.
package final class NamelessFile: Sendable {
    /// The system's error.
    package struct Failure: Error, Equatable, CustomStringConvertible {
        /// The value of `errno`.
        package var number: Int32
        package var description: String { "mkstemp: \(String(cString: strerror(number)))" }
    }

    /// The descriptor, open for reading and writing.
    package let descriptor: Int32

    /// Creates a file.
    ///
    /// - Parameter folder: The folder; nil for the default temporary folder.
    /// - Throws: ``Failure`` if the system refuses.
    package init(in folder: String? = nil) throws(Failure) { descriptor = try Self.make(in: folder) }

    deinit { close(descriptor) }

    /// Creates a file, which the caller closes.
    ///
    /// - Parameter folder: The folder; nil for the default temporary folder.
    /// - Returns: The descriptor, open for reading and writing.
    /// - Throws: ``Failure`` if the system refuses.
    package static func make(in folder: String? = nil) throws(Failure) -> Int32 {
        var path = Array("\(folder ?? NSTemporaryDirectory())/segue-XXXXXX".utf8CString)
        let number = mkstemp(&path)
        guard number >= 0 else { throw Failure(number: errno) }
        unlink(path)
        _ = fcntl(number, F_SETFD, FD_CLOEXEC)
        return number
    }
}
