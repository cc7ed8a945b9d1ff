internal import SegueBase
internal import SeguePackager

/// By how much content was moved on its way from the source's timeline to the delivered one.
///
/// Between two discontinuities it is one amount; after one it may be another.
struct TimeOffsets {
    /// One amount for each stretch without discontinuity, where it is known; the middle one of all that were measured.
    let sections: [Double?]
    /// What was measured in each section.
    private let measured: [[Measured]]
    /// How far off each may be, in seconds.
    private let allowed: Double

    /// What was measured of a frame or a frame.
    struct Measured {
        /// When it was delivered, in seconds.
        var time: Double
        /// Delivered time less the time that the source says.
        var offset: Double
        /// Delivered time less each of the times that would be right.
        var right: ClosedRange<Double>

        /// What was measured of a frame that is due from one time to another.
        init(delivered: Double, said: Double, due: ClosedRange<Double>) {
            time = delivered
            offset = delivered - said
            right = delivered - due.upperBound...delivered - due.lowerBound
        }

        /// What was measured of what has one right time.
        init(time: Double, offset: Double) {
            (self.time, self.offset, right) = (time, offset, offset...offset)
        }

        /// By how much it is off where all was moved by some amount.
        func error(_ moved: Double) -> Double {
            if moved < right.lowerBound { return right.lowerBound - moved }
            return moved > right.upperBound ? right.upperBound - moved : 0
        }
    }

    /// Sorts what was measured into sections.
    ///
    /// - Parameters:
    ///   - offsets: Delivered times, and delivered time less source time.
    ///   - plan: Where the discontinuities are.
    init(_ offsets: [(time: Double, offset: Double)], plan: SegmentPlan) {
        self.init(offsets.map { Measured(time: $0.time, offset: $0.offset) }, plan: plan, allowed: 0)
    }

    /// Sorts what was measured into sections.
    ///
    /// - Parameters:
    ///   - measured: What was measured of each.
    ///   - plan: Where the discontinuities are.
    ///   - allowed: How far off each may be: where all agree on some amount within that, it is taken.
    init(_ measured: [Measured], plan: SegmentPlan, allowed: Double) {
        let base = plan.timestampOffset.seconds
        let starts = plan.segments.filter { $0.startsDiscontinuity && $0.number > 0 }.map { $0.start.seconds + base }
        var sorted = [[Measured]](repeating: [], count: starts.count + 1)
        for entry in measured where !starts.contains(where: { abs($0 - entry.time) < 0.1 }) {
            sorted[starts.count { $0 <= entry.time }].append(entry)
        }
        self.measured = sorted
        self.allowed = allowed
        sections = sorted.map { Self.moved($0, allowed: allowed) }
    }

    /// By how much a section was moved: the middle one of what was measured, unless more agree on another.
    private static func moved(_ section: [Measured], allowed: Double) -> Double? {
        guard !section.isEmpty else { return nil }
        let middle = section.map(\.offset).sorted()[section.count / 2]
        // Where each has but one right time, what contradicts the others is not the middle.
        guard section.contains(where: { $0.right.lowerBound < $0.right.upperBound }) else { return middle }
        let right = agreed(section, besides: middle, allowed: allowed)
        return min(max(middle, right.lowerBound), right.upperBound)
    }

    /// The amounts on which most agree, and of these those that are farthest from being wrong for any; some amount
    /// alone, where none suits more.
    private static func agreed(_ section: [Measured], besides amount: Double, allowed: Double) -> ClosedRange<Double> {
        let agreeing = { (moved: Double) in section.filter { abs($0.error(moved)) <= allowed } }
        let suited = agreeing(amount).count
        guard suited < section.count else { return amount...amount }
        let widest = agreeing(mostAgreed(section, allowed: allowed))
        guard widest.count > suited else { return amount...amount }
        let greatest = widest.map(\.right.lowerBound).max() ?? amount
        let least = widest.map(\.right.upperBound).min() ?? amount
        guard greatest <= least else { return (least + greatest) / 2...(least + greatest) / 2 }
        return greatest...least
    }

    /// By how many seconds more than some amount a section was moved; negative where it was less, 0 where that amount
    /// is right for as many as any other, and nil where nothing is known.
    func excess(_ section: Int, over amount: Double) -> Double? {
        guard sections.indices.contains(section), let moved = sections[section] else { return nil }
        let entries = measured[section]
        guard entries.contains(where: { $0.right.lowerBound < $0.right.upperBound }) else { return moved - amount }
        let right = Self.agreed(entries, besides: amount, allowed: allowed)
        return min(max(amount, right.lowerBound), right.upperBound) - amount
    }

    /// An amount on which as many agree as on no other.
    private static func mostAgreed(_ section: [Measured], allowed: Double) -> Double {
        // From the lesser end of each one's range on it agrees, to the greater.
        let starts = section.map { $0.right.lowerBound - allowed }.sorted()
        let ends = section.map { $0.right.upperBound + allowed }.sorted()
        var (ended, most, best) = (0, 0, 0.0)
        for (begun, start) in starts.enumerated() {
            while ends[ended] < start { ended += 1 }
            guard begun + 1 - ended > most else { continue }
            // No other begins before the next, and none ends before the first that does.
            let next = begun + 1 < starts.count ? min(starts[begun + 1], ends[ended]) : ends[ended]
            (most, best) = (begun + 1 - ended, (start + next) / 2)
        }
        return best
    }

    /// The number of were measured.
    var count: Int { measured.reduce(0) { $0 + $1.count } }

    /// Those that are off by more than is allowed, and by how much.
    func wrong(allowed: Double) -> [(time: Double, error: Double)] {
        zip(measured, sections).flatMap { section, middle in
            section.map { (time: $0.time, error: $0.error(middle ?? 0)) }.filter { abs($0.error) > allowed }
        }
    }
}
