internal import Packager
internal import Timeline

/// By how much content was moved on its way from the source's timeline to the delivered one.
///
/// Between two discontinuities it is one amount; after one it may be another.
struct TimeOffsets {
    /// One amount for each stretch without discontinuity, where it is known; the middle one of all that were measured.
    let sections: [Double?]
    /// What was measured in each section.
    private let measured: [[(time: Double, offset: Double)]]

    /// Sorts what was measured into sections.
    ///
    /// - Parameters:
    ///   - offsets: Delivered times, and delivered time less source time.
    ///   - plan: Where the discontinuities are.
    init(_ offsets: [(time: Double, offset: Double)], plan: SegmentPlan) {
        let base = plan.timestampOffset.seconds
        let starts = plan.segments.filter { $0.startsDiscontinuity && $0.number > 0 }.map { $0.start.seconds + base }
        var sorted = [[(time: Double, offset: Double)]](repeating: [], count: starts.count + 1)
        for entry in offsets where !starts.contains(where: { abs($0 - entry.time) < 0.1 }) {
            sorted[starts.count { $0 <= entry.time }].append(entry)
        }
        measured = sorted
        sections = sorted.map { section in
            section.isEmpty ? nil : section.map(\.offset).sorted()[section.count / 2]
        }
    }

    /// How many were measured.
    var count: Int { measured.reduce(0) { $0 + $1.count } }

    /// Those that are off by more than is allowed, and by how much.
    func wrong(allowed: Double) -> [(time: Double, error: Double)] {
        zip(measured, sections).flatMap { section, middle in
            section.map { (time: $0.time, error: $0.offset - (middle ?? 0)) }.filter { abs($0.error) > allowed }
        }
    }
}
