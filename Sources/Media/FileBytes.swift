internal import CFFmpeg
internal import Foundation

/// A file that is read a few bytes here and a few bytes there.
///
/// While it is read in order the system is told ahead what will be wanted, so that a disk is not asked for each header.
package final class FileBytes {
    /// How long the file was when it was opened.
    package let size: Int64
    /// How many bytes have been read from it.
    package private(set) var bytesRead: Int64 = 0

    private let descriptor: Int32
    private let buffer: UnsafeMutableRawBufferPointer
    private var start: Int64 = 0
    private var count = 0
    private var announced: Int64 = 0

    /// How many bytes are read at once.
    private static let bufferSize = 48
    /// How far ahead the system is told what will be wanted.
    private static let ahead: Int64 = 8 << 20

    /// Opens a file; nil where it cannot be opened.
    package init?(path: String) {
        var status = stat()
        let opened = open(path, O_RDONLY | O_CLOEXEC)
        guard opened >= 0 else { return nil }
        guard fstat(opened, &status) == 0 else {
            Foundation.close(opened)
            return nil
        }
        descriptor = opened
        size = Int64(status.st_size)
        buffer = .allocate(byteCount: FileBytes.bufferSize, alignment: 16)
    }

    deinit {
        buffer.deallocate()
        Foundation.close(descriptor)
    }

    /// The byte at a place; nil where the file has none.
    package func byte(at place: Int64) -> UInt8? {
        if place < start || place >= start + Int64(count) {
            guard place >= 0, load(from: place) else { return nil }
        }
        return buffer[Int(place - start)]
    }

    /// Reads bytes from a place on.
    ///
    /// - Parameters:
    ///   - place: The first.
    ///   - length: How many.
    /// - Returns: Fewer where the file ends before, none where it cannot be read.
    package func bytes(at place: Int64, count length: Int) -> [UInt8] {
        var result: [UInt8] = []
        result.reserveCapacity(min(length, 1 << 20))
        while result.count < length, byte(at: place + Int64(result.count)) != nil {
            let first = Int(place + Int64(result.count) - start)
            result.append(contentsOf: buffer[first..<min(count, first + length - result.count)])
        }
        return result
    }

    private func load(from place: Int64) -> Bool {
        // Whoever goes farther at once does not read in order.
        if place >= start, place - start < FileBytes.ahead / 2, place + FileBytes.ahead / 2 > announced {
            let first = max(place, announced)
            announced = place + FileBytes.ahead
            posix_fadvise(descriptor, off_t(first), off_t(announced - first), POSIX_FADV_WILLNEED)
        }
        let got = pread(descriptor, buffer.baseAddress, buffer.count, off_t(place))
        start = place
        count = max(0, got)
        bytesRead += Int64(count)
        return count > 0
    }
}
