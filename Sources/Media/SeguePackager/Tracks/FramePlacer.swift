internal import SegueBase

/// Puts frames one after the other on the grid of samples, and sets them anew where the source really jumps.
///
/// Where the source's clock and its samples drift apart, frames are moved by no more than half a frame every two
/// seconds, so that audio keeps to the frame and no gap is heard. Timestamps that are off by more than a second without
/// a jump are taken for wrong, and the samples counted on. A frame that is set earlier than the end of the one before
/// shortens that one, by no more than half: audio that the source has twice, having gone back a little, is got over as
/// quickly as that allows, and not heard late from then on. Where frames are lost, time goes on without them.
struct FramePlacer {
    private let rate: Int64
    private let tolerance: Int64
    private var last: (start: Int64, length: Int64)?
    private var lastWished: Int64?
    private var lastMove: Int64 = 0
    /// True if the source has gone back, and the frames have not caught up with it yet.
    private var isLate = false

    /// A placer for frames whose times count samples.
    ///
    /// - Parameters:
    ///   - rate: Samples per second.
    ///   - tolerance: How far off the grid the source may be before anything is moved, in samples.
    init(rate: Int64, tolerance: Int64) {
        self.rate = rate
        self.tolerance = tolerance
    }

    /// Where the next frame begins if the source does not say otherwise; nil before the first.
    var expected: Int64? { last.map { $0.start + $0.length } }

    /// Where a frame begins, in samples.
    ///
    /// - Parameters:
    ///   - said: When it begins by the source's timestamps, in seconds; nil where the source does not say.
    ///   - length: The number of samples it has.
    ///   - isAfterLoss: True if something before it is known to be lost.
    /// - Returns: Its place on the grid.
    mutating func place(_ said: Rational?, length: Int64, isAfterLoss: Bool = false) -> Int64 {
        place(at: said?.rounded(scale: rate), length: length, isAfterLoss: isAfterLoss)
    }

    /// Where a frame begins, in samples.
    ///
    /// - Parameters:
    ///   - wished: When it begins by the source's timestamps, in samples; nil where the source does not say.
    ///   - length: The number of samples it has.
    ///   - isAfterLoss: True if something before it is known to be lost.
    /// - Returns: Its place on the grid.
    mutating func place(at wished: Int64?, length: Int64, isAfterLoss: Bool = false) -> Int64 {
        var start = wished ?? 0
        if let last {
            start = last.start + last.length
            if let wished { start = moved(from: start, to: wished, after: last, isAfterLoss) }
        } else {
            lastMove = start
        }
        lastWished = wished ?? lastWished.map { $0 + (last?.length ?? 0) }
        last = (start, length)
        return start
    }

    /// Places frames that follow each other evenly, all of the same length, where none of them has to be moved.
    ///
    /// - Parameters:
    ///   - count: The number of; at least 1.
    ///   - wished: When the first begins by the source's timestamps, in samples.
    ///   - length: The number of samples each has.
    /// - Returns: Where the first begins; nil where they are to be placed one by one.
    mutating func place(_ count: Int, evenlyFrom wished: Int64, length: Int64) -> Int64? {
        guard let start = expected, !isLate, abs(wished - start) <= tolerance else { return nil }
        let rest = Int64(count - 1) * length
        (last, lastWished) = ((start + rest, length), wished + rest)
        return start
    }

    private mutating func moved(
        from next: Int64,
        to wished: Int64,
        after last: (start: Int64, length: Int64),
        _ isAfterLoss: Bool
    ) -> Int64 {
        // What is lost takes as long as a frame, which is no inaccuracy of the clock then.
        let tolerance = isAfterLoss ? min(self.tolerance, last.length / 2) : self.tolerance
        let off = wished - next
        let step = lastWished.map { wished - $0 - last.length } ?? off
        isLate = off < 0 && -off < rate && (isLate || (step < -tolerance && off < -tolerance))
        guard abs(off) > tolerance || isLate else { return next }
        if abs(step) > tolerance || isLate {
            lastMove = max(wished, next - last.length / 2)
            return lastMove
        }
        guard abs(off) < rate, next - lastMove >= 2 * rate else { return next }
        lastMove = next + max(-last.length / 2, min(last.length / 2, off))
        return lastMove
    }
}
