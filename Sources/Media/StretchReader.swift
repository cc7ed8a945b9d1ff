internal import CFFmpeg
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

    /// How many bytes it has.
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
    private let path: String
    private let descriptor: Int32

    /// Opens a file.
    ///
    /// - Parameter path: The file.
    /// - Throws: ``MediaError`` when it cannot be opened.
    package init(path: String) throws(MediaError) {
        self.path = path
        descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else {
            throw MediaError(call: "open", file: path, message: String(cString: strerror(errno)))
        }
    }

    deinit { close(descriptor) }

    /// Reads a stretch, all of which must be there.
    ///
    /// - Parameters:
    ///   - start: Where it begins.
    ///   - count: How many bytes it has.
    /// - Returns: The stretch.
    /// - Throws: ``MediaError`` when it cannot be read to its end.
    package func read(from start: Int64, count: Int) throws(MediaError) -> Stretch {
        let stretch = Stretch(start: start, count: count)
        guard stretch.fill(from: descriptor) == count else {
            throw MediaError(call: "read", file: path, message: "there are not \(count) bytes from byte \(start) on")
        }
        return stretch
    }
}
