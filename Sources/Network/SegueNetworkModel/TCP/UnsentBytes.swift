/// What waits to be sent for the first time, and how it is cut into segments.
struct UnsentBytes {
    /// How many bytes there are before the first of the next segments that ends with them; all where none does.
    private var first = 0
    /// The lengths behind, each of which ends with a segment of its own, but for the last, which may grow.
    private var lengths: [Int] = []
    private var lastIsOpen = false

    /// Whether its end is there, taken or not.
    private(set) var isFinishing = false

    /// Whether the end of the stream has been taken.
    private(set) var hasTakenEnd = false

    /// How many bytes have been written, taken or not.
    private(set) var written = 0

    /// How many bytes wait.
    private(set) var count = 0

    /// Whether nothing waits, not even the end of the stream.
    var isEmpty: Bool { count == 0 && (!isFinishing || hasTakenEnd) }

    /// Adds bytes; `endsSegment` cuts behind them, whatever follows.
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

    /// Ends the stream: with the last bytes if they still wait, else with a segment without any.
    mutating func finish() { isFinishing = true }

    /// How many bytes the next segment has, of so many at the most.
    func nextCount(_ most: Int) -> Int { min(first, most) }

    /// Takes the bytes of the next segment, of so many at the most; of what is not empty.
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
