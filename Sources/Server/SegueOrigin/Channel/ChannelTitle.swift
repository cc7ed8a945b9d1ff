/// A part of a segment, which can be played before the rest of it is there.
package struct ChannelPart: Sendable, Hashable {
    /// How long it is, in microseconds; more than zero.
    package let microseconds: Int32
    /// Whether a picture begins in it that can be decoded without others.
    package let hasKeyframe: Bool

    /// A part; of what is longer than half an hour, so much.
    package init(microseconds: Int64, hasKeyframe: Bool) {
        self.microseconds = max(1, Int32(clamping: microseconds))
        self.hasKeyframe = hasKeyframe
    }
}

/// A segment of a title, in its parts.
package struct ChannelSegment: Sendable, Hashable {
    /// Its parts, in order; not none.
    package let parts: [ChannelPart]
    /// Whether it does not continue the segment before.
    package let startsDiscontinuity: Bool

    /// How long it is, in microseconds.
    package let microseconds: Int64

    /// A segment of parts; the first of a title starts a discontinuity whatever is said here.
    package init(parts: [ChannelPart], startsDiscontinuity: Bool = false) {
        precondition(!parts.isEmpty, "a segment has parts")
        self.parts = parts
        self.startsDiscontinuity = startsDiscontinuity
        microseconds = parts.reduce(0) { $0 + Int64($1.microseconds) }
    }
}

/// A title as a channel plays it.
package struct ChannelTitle: Sendable, Hashable {
    /// Its segments, in order; not none.
    package let segments: [ChannelSegment]

    /// How long it is, in microseconds.
    package let microseconds: Int64

    /// A title of segments.
    package init(segments: [ChannelSegment]) {
        precondition(!segments.isEmpty, "a title has segments")
        self.segments = segments
        microseconds = segments.reduce(0) { $0 + $1.microseconds }
    }
}
