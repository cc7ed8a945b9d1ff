/// The most recent frames of a stream, which any number of listeners read at their own pace.
struct RadioRing: Sendable {
    /// A frame and the title that plays.
    struct Frame: Sendable {
        let bytes: [UInt8]
        let title: String
    }

    /// The maximum number of frames.
    let limit: Int

    /// The number of the oldest frame; frames count from 0.
    private(set) var first = 0

    private var frames: [Frame] = []
    private var start = 0

    init(limit: Int) { self.limit = max(1, limit) }

    /// The number of the next frame.
    var end: Int { first + frames.count }

    /// Appends a frame and drops the oldest above the limit.
    mutating func append(_ frame: Frame) {
        if frames.count < limit {
            frames.append(frame)
        } else {
            frames[start] = frame
            start = (start + 1) % limit
            first += 1
        }
    }

    /// The first frame of a new listener: a number of frames back, or the oldest.
    func beginning(_ back: Int) -> Int { max(first, end - back) }

    /// Reads frames; a reader that has fallen behind continues with newer ones.
    ///
    /// - Parameters:
    ///   - number: The number of the next frame, which is advanced.
    ///   - most: The maximum number of frames.
    ///   - back: The distance from the newest frame at which a late reader continues.
    /// - Returns: The frames.
    func read(_ number: inout Int, most: Int, back: Int) -> [Frame] {
        if number < first { number = beginning(back) }
        let count = max(0, min(most, end - number))
        defer { number += count }
        return (0..<count).map { frames[(start + number - first + $0) % frames.count] }
    }
}
