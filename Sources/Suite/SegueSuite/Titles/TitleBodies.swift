internal import Glibc
package import SegueConcurrency
internal import SegueFetch
import SegueFFmpeg

/// The bodies of a title's resources in an unlinked file, so that each is requested once and none is held in memory.
package final class TitleBodies: Sendable {
    private let file: NamelessFile?
    private let descriptor: Int32
    private let end = Place()

    /// The position of the next body; the owner's lock guards it.
    private final class Place: @unchecked Sendable {
        // Sendable: only `keep` accesses it, one caller at a time.
        var offset = 0
    }

    /// - Throws: ``NamelessFile/Failure`` if the file cannot be created.
    package convenience init() throws(NamelessFile.Failure) {
        let file = try NamelessFile()
        self.init(descriptor: file.descriptor, of: file)
    }

    /// Bodies in an open file that another owner closes.
    package convenience init(descriptor: Int32) { self.init(descriptor: descriptor, of: nil) }

    private init(descriptor: Int32, of file: NamelessFile?) { (self.descriptor, self.file) = (descriptor, file) }

    /// Stores a body; one caller at a time.
    ///
    /// - Throws: ``TitleBodiesError`` if the disk is full.
    func keep(_ bytes: [UInt8]) throws(TitleBodiesError) -> SharedBytes {
        let offset = end.offset
        var written = 0
        while written < bytes.count {
            let count = bytes.withUnsafeBytes { raw in
                pwrite(descriptor, raw.baseAddress! + written, raw.count - written, off_t(offset + written))
            }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw TitleBodiesError(number: count < 0 ? errno : ENOSPC) }
            written += count
        }
        end.offset = offset + bytes.count
        let size = bytes.count
        return SharedBytes(bytes) { [self] in read(offset, size) }
    }

    private func read(_ offset: Int, _ size: Int) -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: size) { buffer, count in
            count = 0
            while count < size {
                let got = pread(descriptor, buffer.baseAddress! + count, size - count, off_t(offset + count))
                if got < 0, errno == EINTR { continue }
                guard got > 0 else { preconditionFailure("pread: bytes that were written are gone: \(errno)") }
                count += got
            }
        }
    }
}

/// The failure to store a response on disk.
struct TitleBodiesError: Error, CustomStringConvertible {
    let number: Int32

    var description: String { "cannot store the server's response: pwrite: \(String(cString: strerror(number)))" }
}
