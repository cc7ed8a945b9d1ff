/// What waits to be sent for the first time, and how it is cut into segments.
struct UnsentBytes {
    /// Lengths that end with a segment of their own, but for the last, which may grow.
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
    var isEmpty: Bool { lengths.isEmpty && (!isFinishing || hasTakenEnd) }

    /// Adds bytes; `endsSegment` cuts behind them, whatever follows.
    mutating func write(_ bytes: Int, endsSegment: Bool) {
        written += bytes
        count += bytes
        if lastIsOpen, !lengths.isEmpty { lengths[lengths.count - 1] += bytes } else { lengths.append(bytes) }
        lastIsOpen = !endsSegment
    }

    /// Ends the stream: with the last bytes if they still wait, else with a segment without any.
    mutating func finish() { isFinishing = true }

    /// Takes the bytes of the next segment, of so many at the most; of what is not empty.
    mutating func take(_ most: Int) -> Int {
        guard let first = lengths.first else {
            hasTakenEnd = true
            return 0
        }
        guard first <= most else {
            lengths[0] -= most
            count -= most
            return most
        }
        lengths.removeFirst()
        count -= first
        hasTakenEnd = isFinishing && lengths.isEmpty
        return first
    }
}
