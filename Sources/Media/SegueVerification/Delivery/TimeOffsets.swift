internal import SegueBase
internal import SeguePackager

/// The time shift from source to delivery.
///
/// It is constant between discontinuities.
struct TimeOffsets {
    /// The shift of each section, if known: the median of the measurements.
    let sections: [Double?]
    /// The measurements of each section.
    private let measured: [[Measured]]
    /// The tolerance, in seconds.
    private let allowed: Double
    /// The delivered times of the discontinuities, in seconds.
    private let starts: [Double]

    /// The distance from a discontinuity within which a frame may still have, or already have, the shift across it: audio
    /// and video rarely jump at the same time.
    private static let reach = 3.0

    /// The measurement of a frame.
    struct Measured {
        /// The delivered time, in seconds.
        var time: Double
        /// The delivered time minus the source's.
        var offset: Double
        /// The delivered time minus each acceptable time.
        var right: ClosedRange<Double>

        /// Creates the measurement of a frame with a range of acceptable times.
        init(delivered: Double, said: Double, due: ClosedRange<Double>) {
            time = delivered
            offset = delivered - said
            right = delivered - due.upperBound...delivered - due.lowerBound
        }

        /// Creates the measurement of a frame with one acceptable time.
        init(time: Double, offset: Double) {
            (self.time, self.offset, right) = (time, offset, offset...offset)
        }

        /// The error relative to a shift.
        func error(_ moved: Double) -> Double {
            if moved < right.lowerBound { return right.lowerBound - moved }
            return moved > right.upperBound ? right.upperBound - moved : 0
        }
    }

    /// Groups measurements by the plan's discontinuities.
    init(_ offsets: [(time: Double, offset: Double)], plan: SegmentPlan) {
        self.init(offsets.map { Measured(time: $0.time, offset: $0.offset) }, plan: plan, allowed: 0)
    }

    /// Groups measurements by the plan's discontinuities; a shift on which all agree within `allowed` is preferred.
    init(_ measured: [Measured], plan: SegmentPlan, allowed: Double) {
        let base = plan.timestampOffset.seconds
        let starts = plan.segments.filter { $0.startsDiscontinuity && $0.number > 0 }.map { $0.start.seconds + base }
        var sorted = [[Measured]](repeating: [], count: starts.count + 1)
        for entry in measured where !starts.contains(where: { abs($0 - entry.time) < 0.1 }) {
            sorted[starts.count { $0 <= entry.time }].append(entry)
        }
        self.measured = sorted
        self.allowed = allowed
        self.starts = starts
        sections = sorted.map { Self.moved($0, allowed: allowed) }
    }

    /// The shift of a section: the median, unless more measurements agree on another one.
    private static func moved(_ section: [Measured], allowed: Double) -> Double? {
        guard !section.isEmpty else { return nil }
        let middle = section.map(\.offset).sorted()[section.count / 2]
        // If each has only one acceptable time, an outlier is not the median.
        guard section.contains(where: { $0.right.lowerBound < $0.right.upperBound }) else { return middle }
        let right = agreed(section, besides: middle, allowed: allowed)
        return min(max(middle, right.lowerBound), right.upperBound)
    }

    /// The shifts on which the most measurements agree, limited to those with the largest margin; only `amount` if no
    /// other suits more.
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

    /// The excess of a section's shift over an amount, in seconds; 0 if the amount suits as many measurements as any
    /// other, nil if unknown.
    func excess(_ section: Int, over amount: Double) -> Double? {
        guard sections.indices.contains(section), let moved = sections[section] else { return nil }
        let entries = measured[section]
        guard entries.contains(where: { $0.right.lowerBound < $0.right.upperBound }) else { return moved - amount }
        let right = Self.agreed(entries, besides: amount, allowed: allowed)
        return min(max(amount, right.lowerBound), right.upperBound) - amount
    }

    /// A shift on which the most measurements agree.
    private static func mostAgreed(_ section: [Measured], allowed: Double) -> Double {
        // Each agrees from the lower end of its range to the upper.
        let starts = section.map { $0.right.lowerBound - allowed }.sorted()
        let ends = section.map { $0.right.upperBound + allowed }.sorted()
        var (ended, most, best) = (0, 0, 0.0)
        for (begun, start) in starts.enumerated() {
            while ends[ended] < start { ended += 1 }
            guard begun + 1 - ended > most else { continue }
            // Between these events the count is constant.
            let next = begun + 1 < starts.count ? min(starts[begun + 1], ends[ended]) : ends[ended]
            (most, best) = (begun + 1 - ended, (start + next) / 2)
        }
        return best
    }

    /// The number of measurements.
    var count: Int { measured.reduce(0) { $0 + $1.count } }

    /// The measurements with an error above a tolerance.
    func wrong(allowed: Double) -> [(time: Double, error: Double)] {
        measured.indices.flatMap { section in
            measured[section].map { entry in
                let errors = shifts(near: entry.time, in: section).map { entry.error($0) }
                return (time: entry.time, error: errors.min { abs($0) < abs($1) } ?? entry.error(0))
            }.filter { abs($0.error) > allowed }
        }
    }

    /// The shifts that a frame of a section may have.
    private func shifts(near time: Double, in section: Int) -> [Double] {
        let isBehind = section > 0 && time - starts[section - 1] < Self.reach
        let isAhead = section < starts.count && starts[section] - time < Self.reach
        return [sections[section], isBehind ? sections[section - 1] : nil, isAhead ? sections[section + 1] : nil]
            .compactMap { $0 }
    }
}
