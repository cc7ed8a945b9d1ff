import Foundation
import SegueConcurrency
import SegueFFmpeg

/// A fingerprint of a file's content: a hash of its size and of its first, middle, and last bytes.
///
/// Files of up to 192 KiB are hashed completely. Of larger files, three blocks are enough: they contain the headers, the
/// indexes, and media data. It is no protection against a file that was made to have another file's fingerprint.
package struct ContentFingerprint: Sendable, Hashable {
    package let high: UInt64
    package let low: UInt64

    /// The size of a block.
    static let block = 64 << 10

    package init(high: UInt64, low: UInt64) { (self.high, self.low) = (high, low) }

    /// Reads a file's blocks.
    ///
    /// - Returns: The fingerprint with the stamp of the file; nil if the file is not a regular file, is empty or
    ///   unreadable, or changes meanwhile.
    static func reading(_ path: [UInt8]) -> (fingerprint: ContentFingerprint, stamp: ItemRecord.Stamp)? {
        // Opening a pipe without O_NONBLOCK waits for its writer.
        let descriptor = ReadableFile.open(path, O_NONBLOCK)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        guard let status = FileStatus(descriptor: descriptor), status.isRegular, status.size > 0 else { return nil }
        var bytes: [UInt8] = []
        for range in ranges(of: status.size) {
            guard let piece = read(range, from: descriptor) else { return nil }
            bytes += piece
        }
        guard FileStatus(descriptor: descriptor) == status else { return nil }
        withUnsafeBytes(of: status.size.littleEndian) { bytes += $0 }
        let (high, low) = StableHash.of(bytes)
        return (ContentFingerprint(high: high, low: low), ItemRecord.Stamp(status))
    }

    /// The ranges that are read of a file: all of a small file, and three blocks of a larger one.
    static func ranges(of size: Int64) -> [Range<Int64>] {
        let block = Int64(block)
        if size <= 3 * block { return [0..<size] }
        let middle = (size - block) / 2
        return [0..<block, middle..<(middle + block), (size - block)..<size]
    }

    private static func read(_ range: Range<Int64>, from descriptor: Int32) -> [UInt8]? {
        var missing = range
        let bytes = [UInt8](unsafeUninitializedCapacity: range.count) { buffer, count in
            while !missing.isEmpty {
                let place = buffer.baseAddress.map { $0 + count }
                let got = pread(descriptor, place, missing.count, off_t(missing.lowerBound))
                if got < 0, errno == EINTR { continue }
                guard got > 0 else { return }
                count += got
                missing = (missing.lowerBound + Int64(got))..<missing.upperBound
            }
        }
        return missing.isEmpty ? bytes : nil
    }
}
