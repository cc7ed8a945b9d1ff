internal import Foundation

/// A temporary file without a name: it is gone when nobody has it open, however the program ends.
package final class NamelessFile: Sendable {
    /// Why there is none: the system's number.
    package struct Failure: Error, Equatable, CustomStringConvertible {
        /// The system's number.
        package var number: Int32
        /// One line for a person.
        package var description: String { "mkstemp: \(String(cString: strerror(number)))" }
    }

    /// The file, open for reading and writing.
    package let descriptor: Int32

    /// Makes one.
    ///
    /// - Parameter folder: Where; nil for the usual folder for temporary files.
    /// - Throws: ``Failure`` where the system refuses.
    package init(in folder: String? = nil) throws(Failure) { descriptor = try Self.make(in: folder) }

    deinit { close(descriptor) }

    /// Makes one that whoever asks for it closes.
    ///
    /// - Parameter folder: Where; nil for the usual folder for temporary files.
    /// - Returns: The file, open for reading and writing.
    /// - Throws: ``Failure`` where the system refuses.
    package static func make(in folder: String? = nil) throws(Failure) -> Int32 {
        var path = Array("\(folder ?? NSTemporaryDirectory())/segue-XXXXXX".utf8CString)
        let number = mkstemp(&path)
        guard number >= 0 else { throw Failure(number: errno) }
        unlink(path)
        _ = fcntl(number, F_SETFD, FD_CLOEXEC)
        return number
    }
}
