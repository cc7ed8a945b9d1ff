internal import SegueConcurrency
internal import CSegueFFmpeg
internal import Foundation

/// A section of a file, owned in memory.
package final class Stretch {
    /// The section's position in the file.
    package let start: Int64
    private let memory: UnsafeMutableRawBufferPointer

    fileprivate init(start: Int64, count: Int) {
        self.start = start
        memory = .allocate(byteCount: count, alignment: 16)
    }

    deinit { memory.deallocate() }

    package var count: Int { memory.count }

    /// Passes a part of the bytes to `body`.
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

/// A reader of complete file sections.
package final class StretchReader {
    /// The file size at the time of opening, in bytes.
    package let size: Int64
    /// The number of bytes read so far.
    package private(set) var bytesRead: Int64 = 0

    private let path: String
    private let descriptor: Int32

    package init(path: String) throws(MediaError) {
        self.path = path
        descriptor = ReadableFile.open(path)
        guard descriptor >= 0 else {
            throw MediaError(call: "open", file: path, message: String(cString: strerror(errno)))
        }
        size = FileStatus(descriptor: descriptor)?.size ?? 0
    }

    deinit { close(descriptor) }

    /// Reads `count` bytes; throws ``MediaError`` if the file has fewer.
    package func read(from start: Int64, count: Int) throws(MediaError) -> Stretch {
        guard start >= 0, count >= 0, start <= size, Int64(count) <= size - start else { throw missing(start, count) }
        let stretch = Stretch(start: start, count: count)
        guard stretch.fill(from: descriptor) == count else { throw missing(start, count) }
        bytesRead += Int64(count)
        return stretch
    }

    /// Reads 32-bit big-endian numbers; throws if the file has fewer.
    package func words(at start: Int64, count: Int) throws(MediaError) -> [UInt32] {
        let stretch = try read(from: start, count: 4 * count)
        return stretch.withBytes(0..<stretch.count) { bytes in
            (0..<count).map { UInt32(bigEndian: bytes.loadUnaligned(fromByteOffset: 4 * $0, as: UInt32.self)) }
        }
    }

    private func missing(_ start: Int64, _ count: Int) -> MediaError {
        MediaError(call: "read", file: path, message: "the file ends before \(count) bytes at offset \(start)")
    }
}
