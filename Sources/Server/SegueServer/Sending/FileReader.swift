import Foundation
import SegueConcurrency
import SegueFFmpeg

/// An open file that is read block by block, and that detects changes of the file.
final class FileReader: Sendable {
    enum Failure: Error, Equatable {
        case unreadable
        /// The file was changed or truncated since it was opened.
        case changed
    }

    private struct Version: Equatable {
        var size: Int64
        var modifiedNanoseconds: Int64
    }

    let path: String
    private let descriptor: Int32
    private let version: Version

    /// - Throws: ``Failure`` if the file cannot be opened.
    init(path: String) throws(Failure) {
        let descriptor = ReadableFile.open(path, O_NONBLOCK | O_NOCTTY)
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

    /// Reads exactly `length` bytes from an offset.
    ///
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

    /// The size and modification time, or nil for anything but a regular file.
    private static func version(_ descriptor: Int32) -> Version? {
        guard let status = FileStatus(descriptor: descriptor), status.isRegular else { return nil }
        return Version(size: status.size, modifiedNanoseconds: status.modifiedNanoseconds)
    }
}
