internal import SegueConcurrency
internal import CSegueFFmpeg
internal import Foundation

/// A file that is read a few bytes here and a few bytes there.
///
/// While it is read in order, and the system does not have it in memory, it is told ahead what will be wanted, so that
/// a disk is not asked for each header; and where what is wanted lies close together, more is read at once.
package final class FileBytes {
    /// How long the file was when it was opened.
    package let size: Int64
    /// The number of bytes have been read from it.
    package private(set) var bytesRead: Int64 = 0

    private let descriptor: Int32
    private let isInOrder: Bool
    private let buffer: UnsafeMutableRawBufferPointer
    private var start: Int64 = 0
    private var count = 0
    private var announced: Int64 = 0
    /// The place that was requested last.
    private var asked: Int64 = 0
    /// The number of bytes are read at once.
    private var stride = FileBytes.least
    /// How often in a row the better half of what was read was of no use.
    private var wasted = 0

    /// The number of bytes are read at once, at least and at most.
    private static let (least, most) = (64, 16 << 10)
    /// Places that lie so close together are read at once: reading more costs less than reading once more.
    private static let near: Int64 = 2048
    /// How far ahead the system is told what will be wanted.
    private static let ahead: Int64 = 8 << 20

    /// Opens a file; nil where it cannot be opened.
    ///
    /// - Parameters:
    ///   - path: The file.
    ///   - isInOrder: True if it is read from the beginning to the end, and not only here and there.
    package init?(path: String, isInOrder: Bool = true) {
        let opened = open(path, O_RDONLY | O_CLOEXEC)
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

    /// The byte at a place; nil where the file has none.
    package func byte(at place: Int64) -> UInt8? {
        if place < start || place >= start + Int64(count) {
            guard place >= 0, load(from: place) else { return nil }
        }
        asked = place
        return buffer[Int(place - start)]
    }

    /// The 16 bytes from a place on, the first the most significant; zeros where the file has none.
    ///
    /// - Parameter place: Where the first lies.
    /// - Returns: The first and the last eight of them, and how many the file has.
    package func head(at place: Int64) -> (first: UInt64, last: UInt64, count: Int) {
        if place < start || place + 16 > start + Int64(count) {
            guard place >= 0, place < size, load(from: place) else { return (0, 0, 0) }
        }
        asked = place
        let offset = Int(place - start)
        let words = UnsafeRawBufferPointer(buffer)
        // Behind what was read are 16 zeros.
        return (
            UInt64(bigEndian: words.loadUnaligned(fromByteOffset: offset, as: UInt64.self)),
            UInt64(bigEndian: words.loadUnaligned(fromByteOffset: offset + 8, as: UInt64.self)),
            min(16, count - offset)
        )
    }

    /// Reads bytes from a place on.
    ///
    /// - Parameters:
    ///   - place: The first.
    ///   - length: The number of.
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

    /// Looks for bytes.
    ///
    /// - Parameters:
    ///   - pattern: What to look for; not empty.
    ///   - range: Where the first of them may lie.
    /// - Returns: Where they lie first; nil where they do not.
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

    /// Tells the system what will be wanted, where it had to be waited for.
    private func announce(_ place: Int64) {
        // Whoever goes farther at once does not read in order.
        guard place >= start, place - start < FileBytes.ahead / 2, place + FileBytes.ahead / 2 > announced else {
            return
        }
        let first = max(place, announced)
        announced = place + FileBytes.ahead
        posix_fadvise(descriptor, off_t(first), off_t(announced - first), POSIX_FADV_WILLNEED)
    }

    /// Reads more at once where that spares reading, and less where most of it was of no use.
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
