/// Bytes in line: put in at one end in pieces, taken out at the other.
package struct ByteQueue: Sendable {
    private var pieces: [[UInt8]] = []
    private var head = 0
    private var offset = 0

    /// How many bytes are in it.
    package private(set) var count = 0

    /// An empty queue.
    package init() {}

    /// Adds a piece.
    package mutating func append(_ piece: [UInt8]) {
        guard !piece.isEmpty else { return }
        pieces.append(piece)
        count += piece.count
    }

    /// Hands out bytes from the front, all from one piece, and removes those that were taken.
    ///
    /// - Parameters:
    ///   - most: How many at the most; above zero, of a queue that is not empty.
    ///   - take: Takes bytes and returns how many.
    /// - Returns: What `take` returned.
    package mutating func take(_ most: Int, _ take: (UnsafeRawBufferPointer) -> Int) -> Int {
        guard head < pieces.count else { return 0 }
        let end = min(pieces[head].count, offset + most)
        let taken = pieces[head].withUnsafeBytes { take(UnsafeRawBufferPointer(rebasing: $0[offset..<end])) }
        guard taken > 0 else { return taken }
        offset += taken
        count -= taken
        if offset == pieces[head].count {
            pieces[head] = []
            (head, offset) = (head + 1, 0)
        }
        if head > 64, head * 2 > pieces.count {
            pieces.removeFirst(head)
            head = 0
        }
        return taken
    }

    /// Removes everything.
    package mutating func removeAll() { (pieces, head, offset, count) = ([], 0, 0, 0) }
}
