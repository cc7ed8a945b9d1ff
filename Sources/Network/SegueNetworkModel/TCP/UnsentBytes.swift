/// The unsent bytes of a stream, and their division into segments.
struct UnsentBytes {
    /// The number of bytes before the first forced end of a segment; all bytes if there is none.
    private var first = 0
    /// The further lengths, each of which ends a segment, except for the last one if it may grow.
    private var lengths: [Int] = []
    private var lastIsOpen = false

    /// True if the end of the stream has been written.
    private(set) var isFinishing = false

    /// True if the end of the stream has been taken.
    private(set) var hasTakenEnd = false

    /// The number of written bytes.
    private(set) var written = 0

    /// The number of unsent bytes.
    private(set) var count = 0

    /// True if nothing is left, including the end of the stream.
    var isEmpty: Bool { count == 0 && (!isFinishing || hasTakenEnd) }

    /// Adds bytes; `endsSegment` forces the end of a segment after them.
    mutating func write(_ bytes: Int, endsSegment: Bool) {
        written += bytes
        count += bytes
        if first == 0 || lastIsOpen && lengths.isEmpty {
            first += bytes
        } else if lastIsOpen {
            lengths[lengths.count - 1] += bytes
        } else {
            lengths.append(bytes)
        }
        lastIsOpen = !endsSegment
    }

    /// Ends the stream: with the last unsent bytes, or with an empty segment.
    mutating func finish() { isFinishing = true }

    /// The size of the next segment, up to a maximum.
    func nextCount(_ most: Int) -> Int { min(first, most) }

    /// Takes the next segment, up to a maximum size; must not be empty.
    @inline(__always)
    mutating func take(_ most: Int) -> Int {
        if first > most {
            first -= most
            count -= most
            return most
        }
        return takeFirst()
    }

    private mutating func takeFirst() -> Int {
        let taken = first
        first = lengths.isEmpty ? 0 : lengths.removeFirst()
        count -= taken
        hasTakenEnd = isFinishing && count == 0
        return taken
    }
}
