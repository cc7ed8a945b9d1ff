package import Timeline

/// What a server offers to clients that reload a playlist (`EXT-X-SERVER-CONTROL`; RFC 8216bis, 4.4.3.8).
package struct ServerControl: Sendable, Hashable {
    /// How many seconds before the end segments may be left out of delta updates; nil where there are none.
    package var canSkipUntil: Rational?

    /// Whether delta updates can leave out date ranges, too.
    package var canSkipDateRanges: Bool

    /// How many seconds from the end clients should stay; nil for three target durations.
    package var holdBack: Rational?

    /// How many seconds from the end clients that play parts should stay; nil where there are no parts.
    package var partHoldBack: Rational?

    /// Whether a reload may wait for a segment or part to come.
    package var canBlockReload: Bool

    /// What is offered; times are zero or more.
    package init(
        canSkipUntil: Rational? = nil,
        canSkipDateRanges: Bool = false,
        holdBack: Rational? = nil,
        partHoldBack: Rational? = nil,
        canBlockReload: Bool = false
    ) {
        self.canSkipUntil = canSkipUntil
        self.canSkipDateRanges = canSkipDateRanges
        self.holdBack = holdBack
        self.partHoldBack = partHoldBack
        self.canBlockReload = canBlockReload
    }
}

/// A part of a segment, which is there before the whole of it (`EXT-X-PART`; RFC 8216bis, 4.4.4.9).
package struct PartialSegment: Sendable, Hashable {
    /// Where it is, as written.
    package var uri: String

    /// How long it is, in seconds.
    package var duration: Rational

    /// Whether it has a frame that can be decoded without others.
    package var isIndependent: Bool

    /// The bytes of the resource that are the part; nil for the whole.
    package var byteRange: ByteRange?

    /// Whether it is missing and must not be loaded.
    package var isGap: Bool

    /// A part.
    package init(
        uri: String,
        duration: Rational,
        isIndependent: Bool = false,
        byteRange: ByteRange? = nil,
        isGap: Bool = false
    ) {
        self.uri = uri
        self.duration = duration
        self.isIndependent = isIndependent
        self.byteRange = byteRange
        self.isGap = isGap
    }
}

/// The segment that is still being made: its parts so far, and what the tags before them say of it.
package struct OpenSegment: Sendable, Equatable {
    /// Its parts in order; one without parts is not written.
    package var parts: [PartialSegment]

    /// Whether its encoding or timestamps do not continue those of the segment before.
    package var startsDiscontinuity: Bool

    /// The initialization that it needs; nil when it needs none.
    package var map: MediaMap?

    /// The ways to decrypt it, any of which will do; empty when it is not encrypted.
    package var keys: [MediaKey]

    /// The date and time of its first sample as written (ISO 8601); nil when not given.
    package var programDateTime: String?

    /// A segment of parts.
    package init(
        parts: [PartialSegment],
        startsDiscontinuity: Bool = false,
        map: MediaMap? = nil,
        keys: [MediaKey] = [],
        programDateTime: String? = nil
    ) {
        self.parts = parts
        self.startsDiscontinuity = startsDiscontinuity
        self.map = map
        self.keys = keys
        self.programDateTime = programDateTime
    }
}

/// A resource that will probably be needed (`EXT-X-PRELOAD-HINT`; RFC 8216bis, 4.4.5.3).
package struct PreloadHint: Sendable, Hashable {
    /// What it will be.
    package enum Kind: String, Sendable {
        /// A part.
        case part = "PART"
        /// An initialization section.
        case map = "MAP"
    }

    /// What it will be.
    package var kind: Kind

    /// Where it will be, as written.
    package var uri: String

    /// Its first byte in the resource, from 0.
    package var byteRangeStart: Int64

    /// How many bytes it will have; nil for all to the resource's end.
    package var byteRangeLength: Int64?

    /// A hint.
    package init(kind: Kind, uri: String, byteRangeStart: Int64 = 0, byteRangeLength: Int64? = nil) {
        self.kind = kind
        self.uri = uri
        self.byteRangeStart = byteRangeStart
        self.byteRangeLength = byteRangeLength
    }
}

/// How far another rendition has come (`EXT-X-RENDITION-REPORT`; RFC 8216bis, 4.4.5.4).
package struct RenditionReport: Sendable, Hashable {
    /// Its media playlist, as written: relative to this one.
    package var uri: String

    /// The media sequence number of its last segment, whole or being made; nil says the same as in this playlist.
    package var lastMSN: Int?

    /// The number of that segment's last part, from 0; nil says the same as in this playlist, or that it has no parts.
    package var lastPart: Int?

    /// A report.
    package init(uri: String, lastMSN: Int? = nil, lastPart: Int? = nil) {
        self.uri = uri
        self.lastMSN = lastMSN
        self.lastPart = lastPart
    }
}
