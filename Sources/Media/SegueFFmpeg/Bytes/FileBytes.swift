internal import SegueConcurrency
internal import CSegueFFmpeg
internal import Foundation

/// A file for sparse, small reads.
///
/// Sequential access to uncached data triggers kernel read-ahead, and reads grow when the requested positions lie close
/// together.
package final class FileBytes {
    /// The file size at the time of opening, in bytes.
    package let size: Int64
    /// The number of bytes read so far.
    package private(set) var bytesRead: Int64 = 0

    private let descriptor: Int32
    private let isInOrder: Bool
    private let buffer: UnsafeMutableRawBufferPointer
    private var start: Int64 = 0
    private var count = 0
    private var announced: Int64 = 0
    /// The last requested position.
    private var asked: Int64 = 0
    /// The current read size, in bytes.
    private var stride = FileBytes.least
    /// The number of consecutive reads of which more than half was unused.
    private var wasted = 0

    /// The minimum and maximum read size, in bytes.
    private static let (least, most) = (64, 16 << 10)
    /// The gap up to which two positions are covered by one read; reading the gap is cheaper than a second read.
    private static let near: Int64 = 2048
    /// The read-ahead distance announced to the kernel, in bytes.
    private static let ahead: Int64 = 8 << 20

    /// Opens a file; nil if it cannot be opened.
    package init?(path: String, isInOrder: Bool = true) {
        let opened = ReadableFile.open(path)
        guard opened >= 0 else { return nil }
        guard let status = FileStatus(descriptor: opened) else {
            Foundation.close(opened)
            return nil
        }
        descriptor = opened
        size = status.size
        self.isInOrder = isInOrder
        buffer = .allocate(byteCount: FileBytes.most + 16, alignment: 16)
    }

    deinit {
        buffer.deallocate()
        Foundation.close(descriptor)
    }

    /// The byte at a position; nil beyond the end of the file.
    package func byte(at place: Int64) -> UInt8? {
        if place < start || place >= start + Int64(count) {
            guard place >= 0, load(from: place) else { return nil }
        }
        asked = place
        return buffer[Int(place - start)]
    }

    /// Returns 16 bytes from a position as two big-endian numbers, zero-padded, and the number of bytes the file has
    /// there.
    package func head(at place: Int64) -> (first: UInt64, last: UInt64, count: Int) {
        if place < start || place + 16 > start + Int64(count) {
            guard place >= 0, place < size, load(from: place) else { return (0, 0, 0) }
        }
        asked = place
        let offset = Int(place - start)
        let words = UnsafeRawBufferPointer(buffer)
        // The buffer is followed by 16 zero bytes.
        return (
            UInt64(bigEndian: words.loadUnaligned(fromByteOffset: offset, as: UInt64.self)),
            UInt64(bigEndian: words.loadUnaligned(fromByteOffset: offset + 8, as: UInt64.self)),
            min(16, count - offset)
        )
    }

    /// Reads bytes from a position; returns fewer at the end of the file and none on a read error.
    package func bytes(at place: Int64, count length: Int) -> [UInt8] {
        var result: [UInt8] = []
        result.reserveCapacity(min(length, 1 << 20))
        while result.count < length, byte(at: place + Int64(result.count)) != nil {
            let first = Int(place + Int64(result.count) - start)
            result.append(contentsOf: buffer[first..<min(count, first + length - result.count)])
        }
        return result
    }

    /// Returns the first position in `range` at which a nonempty pattern begins; nil if there is none.
    package func place(of pattern: [UInt8], in range: Range<Int64>) -> Int64? {
        withUnsafeTemporaryAllocation(byteCount: 64 << 10, alignment: 16) { piece -> Int64? in
            var place = range.lowerBound
            while place < range.upperBound {
                let got = pread(descriptor, piece.baseAddress, piece.count, off_t(place))
                guard got >= pattern.count else { return nil }
                bytesRead += Int64(got)
                let last = got - pattern.count
                var offset = 0
                while offset <= last, let base = piece.baseAddress,
                    let found = memchr(base + offset, Int32(pattern[0]), last - offset + 1)
                {
                    offset = UnsafeRawPointer(found) - UnsafeRawPointer(base)
                    if piece[offset..<offset + pattern.count].elementsEqual(pattern) {
                        let first = place + Int64(offset)
                        return first < range.upperBound ? first : nil
                    }
                    offset += 1
                }
                place += Int64(last + 1)
            }
            return nil
        }
    }

    private func load(from place: Int64) -> Bool {
        if isInOrder { adapt(to: place) }
        var got = Int(ffs_read_cached(descriptor, buffer.baseAddress, stride, place))
        if got < stride, place + Int64(max(0, got)) != size {
            if isInOrder { announce(place) }
            got = pread(descriptor, buffer.baseAddress, stride, off_t(place))
        }
        start = place
        count = max(0, got)
        buffer[count..<count + 16].copyBytes(from: repeatElement(0, count: 16))
        bytesRead += Int64(count)
        return count > 0
    }

    /// Announces the next reads to the kernel if the last one had to wait for the disk.
    private func announce(_ place: Int64) {
        // A larger step is not sequential access.
        guard place >= start, place - start < FileBytes.ahead / 2, place + FileBytes.ahead / 2 > announced else {
            return
        }
        let first = max(place, announced)
        announced = place + FileBytes.ahead
        posix_fadvise(descriptor, off_t(first), off_t(announced - first), POSIX_FADV_WILLNEED)
    }

    /// Increases the read size for nearby positions and decreases it if most of a read was unused.
    private func adapt(to place: Int64) {
        if place >= start, place - start - Int64(count) < FileBytes.near {
            stride = min(2 * stride, FileBytes.most)
            wasted = 0
        } else if asked - start >= Int64(stride / 2) {
            wasted = 0
        } else {
            wasted += 1
            if wasted >= 4 { (stride, wasted) = (max(stride / 2, FileBytes.least), 0) }
        }
    }
}
