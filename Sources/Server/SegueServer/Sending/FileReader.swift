import Foundation
import SegueConcurrency
import SegueFFmpeg

/// A part of an open file, read block by block; it notices when the file changes under it.
final class FileReader: Sendable {
    /// Why the rest of a file cannot be sent.
    enum Failure: Error, Equatable {
        /// It cannot be opened or read any more.
        case unreadable
        /// It has changed or become shorter since the reading began.
        case changed
    }

    private struct Version: Equatable {
        var size: Int64
        var modifiedNanoseconds: Int64
    }

    /// The file.
    let path: String
    private let descriptor: Int32
    private let version: Version

    /// Opens a file.
    ///
    /// - Parameter path: The file.
    /// - Throws: ``Failure``.
    init(path: String) throws(Failure) {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
        guard descriptor >= 0 else { throw .unreadable }
        guard let version = Self.version(descriptor) else {
            close(descriptor)
            throw .unreadable
        }
        self.path = path
        self.descriptor = descriptor
        self.version = version
    }

    deinit { close(descriptor) }

    /// Reads some bytes, all of which must be there.
    ///
    /// - Parameters:
    ///   - length: How many.
    ///   - offset: Where they begin.
    /// - Returns: The bytes.
    /// - Throws: ``Failure``.
    func read(_ length: Int, at offset: Int64) throws(Failure) -> [UInt8] {
        guard Self.version(descriptor) == version else { throw .changed }
        var failure: Failure?
        let bytes = [UInt8](unsafeUninitializedCapacity: length) { buffer, count in
            while count < length {
                let got = pread(descriptor, buffer.baseAddress! + count, length - count, off_t(offset) + off_t(count))
                if got < 0 && errno == EINTR { continue }
                if got <= 0 {
                    failure = got == 0 ? .changed : .unreadable
                    return
                }
                count += got
            }
        }
        if let failure { throw failure }
        return bytes
    }

    /// The file's size and time of change; nil for anything but a regular file.
    private static func version(_ descriptor: Int32) -> Version? {
        guard let status = FileStatus(descriptor: descriptor), status.isRegular else { return nil }
        return Version(size: status.size, modifiedNanoseconds: status.modifiedNanoseconds)
    }
}
