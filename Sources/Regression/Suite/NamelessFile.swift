internal import Foundation
internal import Glibc
internal import SystemPackage

/// A temporary file without a name: it is gone when nobody has it open, however the program ends.
final class NamelessFile: Sendable {
    /// The file, open for reading and writing.
    let descriptor: FileDescriptor

    /// Makes one.
    ///
    /// - Throws: `Errno` where the system refuses.
    init() throws { descriptor = FileDescriptor(rawValue: try Self.make()) }

    deinit { _ = Glibc.close(descriptor.rawValue) }

    /// Makes one that whoever asks for it closes.
    ///
    /// - Throws: `Errno` where the system refuses.
    static func make() throws -> Int32 {
        var path = Array("\(NSTemporaryDirectory())segue-XXXXXX".utf8CString)
        let number = mkstemp(&path)
        guard number >= 0 else { throw Errno(rawValue: errno) }
        unlink(path)
        _ = fcntl(number, F_SETFD, FD_CLOEXEC)
        return number
    }
}
