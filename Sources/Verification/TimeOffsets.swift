internal import Packager
internal import Timeline

/// By how much content was moved on its way from the source's timeline to the delivered one.
///
/// Between two discontinuities it is one amount; after one it may be another.
struct TimeOffsets {
    /// One amount for each stretch without discontinuity, where it is known; the middle one of all that were measured.
    let sections: [Double?]
    /// What was measured in each section.
    private let measured: [[Measured]]

    /// What was measured of a frame or a picture.
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
        sections = sorted.map { Self.moved($0, allowed: allowed) }
    }

    /// By how much a section was moved: the middle one of what was measured, unless all agree on another.
    private static func moved(_ section: [Measured], allowed: Double) -> Double? {
        guard !section.isEmpty else { return nil }
        let middle = section.map(\.offset).sorted()[section.count / 2]
        let greatest = section.map(\.right.lowerBound).max() ?? middle
        let least = section.map(\.right.upperBound).min() ?? middle
        guard section.contains(where: { abs($0.error(middle)) > allowed }) else { return middle }
        let common = least < greatest ? (least + greatest) / 2 : min(max(middle, greatest), least)
        return section.contains { abs($0.error(common)) > allowed } ? middle : common
    }

    /// How many were measured.
    var count: Int { measured.reduce(0) { $0 + $1.count } }

    /// Those that are off by more than is allowed, and by how much.
    func wrong(allowed: Double) -> [(time: Double, error: Double)] {
        zip(measured, sections).flatMap { section, middle in
            section.map { (time: $0.time, error: $0.error(middle ?? 0)) }.filter { abs($0.error) > allowed }
        }
    }
}
