package import SegueBase

/// How segments are packed.
package enum SegmentContainer: String, Sendable, CaseIterable, Codable {
    /// MPEG transport stream; every segment stands alone.
    case ts
    /// Fragmented MP4; segments need the rendition's init segment.
    case fmp4
}

/// A place on the timeline where a piece of the item is cut out.
package struct PlannedSegment: Sendable, Hashable {
    /// The segment's number, from 0.
    package let number: Int
    /// Where it begins, in seconds from the start of the plan.
    package let start: Rational
    /// How long it is, in seconds; the next segment begins exactly where it ends.
    package let duration: Rational
    /// True if the source really jumps or changes its coding here.
    package let startsDiscontinuity: Bool

    /// Where it ends, in seconds from the start of the plan.
    package var end: Rational { start + duration }
}

/// Where an item is cut: one list for all renditions and containers.
package struct SegmentPlan: Sendable, Hashable {
    /// The segments, in order; never empty.
    package let segments: [PlannedSegment]
    /// The time in the source that is time 0 of the plan, in seconds.
    package let origin: Rational
    /// What is added to plan times in every segment's timestamps, in whole seconds, so that none is negative.
    ///
    /// The same for every track, segment, rendition and container of the file.
    package let timestampOffset: Rational

    /// How long the item is: exactly the sum of the segments, in seconds.
    package var duration: Rational { segments.last?.end ?? .zero }

    /// The longest segment in whole seconds, rounded as EXT-X-TARGETDURATION wants it; at least 1.
    package var targetDuration: Int {
        max(1, segments.map { Int($0.duration.rounded(scale: 1)) }.max() ?? 1)
    }

    /// The number of the segment that holds a time; the nearest one for times outside.
    package func segmentNumber(at time: Rational) -> Int {
        var (low, high) = (0, segments.count)
        while low < high {
            let middle = (low + high) / 2
            if segments[middle].start <= time { low = middle + 1 } else { high = middle }
        }
        return max(0, low - 1)
    }
}
