/// A queue of bytes, filled in pieces.
package struct ByteQueue: Sendable {
    private var pieces: [[UInt8]] = []
    private var head = 0
    private var offset = 0

    package private(set) var count = 0

    package init() {}

    package mutating func append(_ piece: [UInt8]) {
        guard !piece.isEmpty else { return }
        pieces.append(piece)
        count += piece.count
    }

    /// Passes bytes from the front, all of one piece, to `take`, and removes the consumed ones.
    ///
    /// - Parameters:
    ///   - most: The maximum number of bytes, above zero.
    ///   - take: Consumes bytes and returns their number.
    /// - Returns: The result of `take`; 0 if the queue is empty.
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

    package mutating func removeAll() { (pieces, head, offset, count) = ([], 0, 0, 0) }
}
