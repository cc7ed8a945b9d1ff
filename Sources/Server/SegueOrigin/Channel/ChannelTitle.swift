/// A part of a segment, which can be played before the segment is complete.
package struct ChannelPart: Sendable, Hashable {
    /// The duration in microseconds; positive.
    package let microseconds: Int32
    /// True if an independently decodable frame starts in the part.
    package let hasKeyframe: Bool

    /// Creates a part; the duration is clamped to half an hour.
    package init(microseconds: Int64, hasKeyframe: Bool) {
        self.microseconds = max(1, Int32(clamping: microseconds))
        self.hasKeyframe = hasKeyframe
    }
}

/// A segment of a title.
package struct ChannelSegment: Sendable, Hashable {
    /// The parts in order; at least one.
    package let parts: [ChannelPart]
    package let startsDiscontinuity: Bool

    /// The duration in microseconds.
    package let microseconds: Int64

    /// Creates a segment.
    ///
    /// The first segment of a title always starts a discontinuity.
    package init(parts: [ChannelPart], startsDiscontinuity: Bool = false) {
        precondition(!parts.isEmpty, "a segment must have parts")
        self.parts = parts
        self.startsDiscontinuity = startsDiscontinuity
        microseconds = parts.reduce(0) { $0 + Int64($1.microseconds) }
    }
}

/// A title as a channel plays it.
package struct ChannelTitle: Sendable, Hashable {
    /// The segments in order; at least one.
    package let segments: [ChannelSegment]

    /// The duration in microseconds.
    package let microseconds: Int64

    package init(segments: [ChannelSegment]) {
        precondition(!segments.isEmpty, "a title must have segments")
        self.segments = segments
        microseconds = segments.reduce(0) { $0 + $1.microseconds }
    }
}
