internal import SegueConcurrency
internal import CSegueFFmpeg
internal import Foundation

/// A stretch of a file, in memory that goes when this does.
package final class Stretch {
    /// Where in the file it begins.
    package let start: Int64
    private let memory: UnsafeMutableRawBufferPointer

    fileprivate init(start: Int64, count: Int) {
        self.start = start
        memory = .allocate(byteCount: count, alignment: 16)
    }

    deinit { memory.deallocate() }

    /// The number of bytes it has.
    package var count: Int { memory.count }

    /// Lends some of its bytes.
    package func withBytes<Result>(
        _ range: Range<Int>,
        _ body: (UnsafeRawBufferPointer) throws -> Result
    ) rethrows -> Result {
        try body(UnsafeRawBufferPointer(rebasing: memory[range]))
    }

    fileprivate func fill(from descriptor: Int32) -> Int {
        var done = 0
        while done < memory.count, let base = memory.baseAddress {
            let got = pread(descriptor, base + done, memory.count - done, off_t(start) + off_t(done))
            if got < 0, errno == EINTR { continue }
            if got <= 0 { break }
            done += got
        }
        return done
    }
}

/// A file of which whole stretches are read.
package final class StretchReader {
    /// How long the file was when it was opened.
    package let size: Int64
    /// The number of bytes have been read from it.
    package private(set) var bytesRead: Int64 = 0

    private let path: String
    private let descriptor: Int32

    /// Opens a file.
    package init(path: String) throws(MediaError) {
        self.path = path
        descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else {
            throw MediaError(call: "open", file: path, message: String(cString: strerror(errno)))
        }
        size = FileStatus(descriptor: descriptor)?.size ?? 0
    }

    deinit { close(descriptor) }

    /// Reads a stretch, all of which must be there.
    ///
    /// - Parameters:
    ///   - start: Where it begins.
    ///   - count: The number of bytes it has.
    /// - Returns: The stretch.
    /// - Throws: ``MediaError`` if it cannot be read to its end.
    package func read(from start: Int64, count: Int) throws(MediaError) -> Stretch {
        guard start >= 0, count >= 0, start <= size, Int64(count) <= size - start else { throw missing(start, count) }
        let stretch = Stretch(start: start, count: count)
        guard stretch.fill(from: descriptor) == count else { throw missing(start, count) }
        bytesRead += Int64(count)
        return stretch
    }

    /// Reads numbers of 32 bits, the most significant byte first, all of which must be there.
    package func words(at start: Int64, count: Int) throws(MediaError) -> [UInt32] {
        let stretch = try read(from: start, count: 4 * count)
        return stretch.withBytes(0..<stretch.count) { bytes in
            (0..<count).map { UInt32(bigEndian: bytes.loadUnaligned(fromByteOffset: 4 * $0, as: UInt32.self)) }
        }
    }

    private func missing(_ start: Int64, _ count: Int) -> MediaError {
        MediaError(call: "read", file: path, message: "there are not \(count) bytes from byte \(start) on")
    }
}
