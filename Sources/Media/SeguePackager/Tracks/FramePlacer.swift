internal import SegueBase

/// Places frames contiguously on the sample grid and re-anchors them at jumps of the source.
///
/// If the source's clock and samples drift apart, frames move by at most half a frame every two seconds, which keeps
/// audio in sync without gaps. Timestamps off by more than a second without a jump are treated as wrong, and samples
/// are counted on. A frame that overlaps its predecessor shortens it by at most half, so audio that the source repeats
/// after a small step back is caught up quickly instead of staying late. Lost frames leave a gap.
struct FramePlacer {
    private let rate: Int64
    private let tolerance: Int64
    private let cutsOverlaps: Bool
    private var last: (start: Int64, length: Int64)?
    private var lastWished: Int64?
    private var lastMove: Int64 = 0
    /// True if the source went back and the frames have not caught up yet.
    private var isLate = false

    /// Creates a placer; `tolerance` is the drift from the grid allowed before frames move, in samples, and `cutsOverlaps`
    /// if a frame after a jump may replace the end of the preceding ones.
    init(rate: Int64, tolerance: Int64, cutsOverlaps: Bool = false) {
        self.rate = rate
        self.tolerance = tolerance
        self.cutsOverlaps = cutsOverlaps
    }

    /// The start of the next frame without correction; nil before the first.
    var expected: Int64? { last.map { $0.start + $0.length } }

    /// Returns a frame's start on the grid, in samples.
    ///
    /// - Parameters:
    ///   - said: The source's timestamp in seconds; nil if missing.
    ///   - length: The frame's length, in samples.
    ///   - isAfterLoss: True if preceding data is known to be lost.
    ///   - isAfterJump: True if the source's clock jumped or its edit list cuts here, so that the timestamp is exact.
    /// - Returns: The start.
    mutating func place(_ said: Rational?, length: Int64, isAfterLoss: Bool = false, isAfterJump: Bool = false) -> Int64
    {
        place(at: said?.rounded(scale: rate), length: length, isAfterLoss: isAfterLoss, isAfterJump: isAfterJump)
    }

    /// Returns a frame's start on the grid, in samples.
    ///
    /// - Parameters:
    ///   - wished: The source's timestamp in samples; nil if missing.
    ///   - length: The frame's length, in samples.
    ///   - isAfterLoss: True if preceding data is known to be lost.
    ///   - isAfterJump: True if the source's clock jumped or its edit list cuts here, so that the timestamp is exact.
    /// - Returns: The start.
    mutating func place(at wished: Int64?, length: Int64, isAfterLoss: Bool = false, isAfterJump: Bool = false) -> Int64
    {
        var start = wished ?? 0
        if let last {
            start = last.start + last.length
            if let wished { start = moved(from: start, to: wished, after: last, isAfterLoss, isAfterJump) }
        } else {
            lastMove = start
        }
        lastWished = wished ?? lastWished.map { $0 + (last?.length ?? 0) }
        last = (start, length)
        return start
    }

    /// Places `count` (at least 1) contiguous frames of equal length if none needs to move; returns the first start, or
    /// nil if they must be placed one by one.
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
        _ isAfterLoss: Bool,
        _ isAfterJump: Bool
    ) -> Int64 {
        // Lost data takes the time of a frame, which is not clock drift.
        var tolerance = isAfterLoss ? min(self.tolerance, last.length / 2) : self.tolerance
        if isAfterJump { tolerance = min(tolerance, rate / 500) }
        let off = wished - next
        let step = lastWished.map { wished - $0 - last.length } ?? off
        isLate = off < 0 && -off < rate && (isLate || (step < -tolerance && off < -tolerance))
        guard abs(off) > tolerance || isLate else { return next }
        if abs(step) > tolerance || isLate {
            let canCut = cutsOverlaps && isAfterJump && -off < rate
            lastMove = canCut ? wished : max(wished, next - last.length / 2)
            return lastMove
        }
        guard abs(off) < rate, next - lastMove >= 2 * rate else { return next }
        lastMove = next + max(-last.length / 2, min(last.length / 2, off))
        return lastMove
    }
}
