package import SegueBase

package enum SegmentContainer: String, Sendable, CaseIterable, Codable {
    /// MPEG transport stream; segments are self-contained.
    case ts
    /// Fragmented MP4; segments require the rendition's init segment.
    case fmp4
}

/// A segment's place on the timeline.
package struct PlannedSegment: Sendable, Hashable {
    /// The number, from 0.
    package let number: Int
    /// The start, in seconds from the plan's start.
    package let start: Rational
    /// The duration in seconds; the next segment begins exactly at the end.
    package let duration: Rational
    /// True if the source jumps or changes its coding here.
    package let startsDiscontinuity: Bool

    /// The end, in seconds from the plan's start.
    package var end: Rational { start + duration }
}

/// The segment boundaries of an item, shared by all renditions and containers.
package struct SegmentPlan: Sendable, Hashable {
    /// The segments in order; never empty.
    package let segments: [PlannedSegment]
    /// The source time of the plan's time 0, in seconds.
    package let origin: Rational
    /// The offset from plan times to segment timestamps, in whole seconds, which keeps them nonnegative.
    ///
    /// It is the same for all tracks, segments, renditions, and containers of the file.
    package let timestampOffset: Rational
    /// The number of first segments that stay as they are if more data are appended to the file.
    package let settledCount: Int

    /// Creates a plan; without a number of settled segments, all are.
    package init(segments: [PlannedSegment], origin: Rational, timestampOffset: Rational, settledCount: Int? = nil) {
        (self.segments, self.origin, self.timestampOffset) = (segments, origin, timestampOffset)
        self.settledCount = settledCount ?? segments.count
    }

    /// The total duration of the segments, in seconds.
    package var duration: Rational { segments.last?.end ?? .zero }

    /// The longest segment duration in whole seconds, rounded as for EXT-X-TARGETDURATION; at least 1.
    package var targetDuration: Int {
        max(1, segments.map { Int($0.duration.rounded(scale: 1)) }.max() ?? 1)
    }
}
