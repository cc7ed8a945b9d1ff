/// The frames of a stream that were made last, for any number of listeners to read at their own pace.
struct RadioRing: Sendable {
    /// One frame, and what is played.
    struct Frame: Sendable {
        let bytes: [UInt8]
        let title: String
    }

    /// The most frames that are kept.
    let limit: Int

    /// The number of the oldest frame that is kept; frames count from 0.
    private(set) var first = 0

    private var frames: [Frame] = []
    private var start = 0

    /// An empty ring.
    init(limit: Int) { self.limit = max(1, limit) }

    /// The number that the next frame will have.
    var end: Int { first + frames.count }

    /// Adds a frame; the oldest goes where there are too many.
    mutating func append(_ frame: Frame) {
        if frames.count < limit {
            frames.append(frame)
        } else {
            frames[start] = frame
            start = (start + 1) % limit
            first += 1
        }
    }

    /// Where a listener begins: so many frames back, or with the oldest.
    func beginning(_ back: Int) -> Int { max(first, end - back) }

    /// The frames from a number on, at most some; a reader who is too late goes on with newer ones.
    ///
    /// - Parameters:
    ///   - number: The frame that is wanted next; afterwards the one to want then.
    ///   - most: How many at most.
    ///   - back: How far behind the newest a reader goes on who was too late.
    /// - Returns: The frames.
    func read(_ number: inout Int, most: Int, back: Int) -> [Frame] {
        if number < first { number = beginning(back) }
        let count = max(0, min(most, end - number))
        defer { number += count }
        return (0..<count).map { frames[(start + number - first + $0) % frames.count] }
    }
}
