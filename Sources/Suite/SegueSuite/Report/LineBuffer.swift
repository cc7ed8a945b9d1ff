internal import Foundation

/// The bytes of a file that are read but not yet consumed, as lines.
struct LineBuffer {
    private var read: [UInt8] = []
    /// The number of consumed bytes.
    private var used = 0
    /// The position up to which there is no line feed.
    private var looked = 0

    /// The number of bytes that are read, with the consumed ones that are still kept.
    var count: Int { read.count }

    /// The number of bytes that are not consumed.
    var rest: Int { read.count - used }

    /// Returns the next line without its line feed, or nil if the end of it is not read.
    mutating func next() -> Data? {
        if let end = read[looked...].firstIndex(of: UInt8(ascii: "\n")) {
            defer { (used, looked) = (end + 1, end + 1) }
            return Data(read[used..<end])
        }
        read.removeFirst(used)
        (used, looked) = (0, read.count)
        return nil
    }

    /// Returns the bytes after the last line feed; nil if there are none.
    mutating func last() -> Data? {
        defer { self = LineBuffer() }
        return rest == 0 ? nil : Data(read[used...])
    }

    /// Moves to a position among the kept bytes.
    mutating func move(to position: Int) { (used, looked) = (position, position) }

    /// Appends up to `most` bytes.
    ///
    /// - Parameters:
    ///   - fill: Writes bytes and returns their number.
    /// - Returns: The number of new bytes.
    mutating func append<Failure: Error>(
        _ most: Int,
        fill: (UnsafeMutableRawBufferPointer) throws(Failure) -> Int
    ) throws(Failure) -> Int {
        let held = read.count
        read.append(contentsOf: repeatElement(0, count: most))
        var count = 0
        defer { read.removeLast(most - count) }
        count = try read.withUnsafeMutableBufferPointer { bytes throws(Failure) in
            try fill(UnsafeMutableRawBufferPointer(UnsafeMutableBufferPointer(rebasing: bytes[held...])))
        }
        return count
    }
}
