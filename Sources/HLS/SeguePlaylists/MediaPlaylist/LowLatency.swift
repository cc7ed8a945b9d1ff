public import SegueBase

/// What a server offers to clients that reload a playlist (`EXT-X-SERVER-CONTROL`; RFC 8216bis, 4.4.3.8).
public struct ServerControl: Sendable, Hashable {
    /// How many seconds before the end segments may be left out of delta updates; nil where there are none.
    public var canSkipUntil: Rational?

    /// Whether delta updates can leave out date ranges, too.
    public var canSkipDateRanges: Bool

    /// How many seconds from the end clients should stay; nil for three target durations.
    public var holdBack: Rational?

    /// How many seconds from the end clients that play parts should stay; nil where there are no parts.
    public var partHoldBack: Rational?

    /// Whether a reload may wait for a segment or part to come.
    public var canBlockReload: Bool

    /// What is offered; times are zero or more.
    ///
    /// - Parameters:
    ///   - canSkipUntil: How many seconds before the end segments may be left out of delta updates; nil where there are
    ///     none.
    ///   - canSkipDateRanges: Whether delta updates can leave out date ranges, too.
    ///   - holdBack: How many seconds from the end clients should stay; nil for three target durations.
    ///   - partHoldBack: How many seconds from the end clients that play parts should stay; nil where there are no
    ///     parts.
    ///   - canBlockReload: Whether a reload may wait for a segment or part to come.
    public init(
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
public struct PartialSegment: Sendable, Hashable {
    /// Where it is, as written.
    public var uri: String

    /// How long it is, in seconds.
    public var duration: Rational

    /// Whether it has a frame that can be decoded without others.
    public var isIndependent: Bool

    /// The bytes of the resource that are the part; nil for the whole.
    public var byteRange: ByteRange?

    /// Whether it is missing and must not be loaded.
    public var isGap: Bool

    /// A part.
    ///
    /// - Parameters:
    ///   - uri: Where it is, as written.
    ///   - duration: How long it is, in seconds.
    ///   - isIndependent: Whether it has a frame that can be decoded without others.
    ///   - byteRange: The bytes of the resource that are the part; nil for the whole.
    ///   - isGap: Whether it is missing and must not be loaded.
    public init(
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
public struct OpenSegment: Sendable, Equatable {
    /// Its parts in order; one without parts is not written.
    public var parts: [PartialSegment]

    /// Whether its encoding or timestamps do not continue those of the segment before.
    public var startsDiscontinuity: Bool

    /// The initialization that it needs; nil when it needs none.
    public var map: MediaMap?

    /// The ways to decrypt it, any of which will do; empty when it is not encrypted.
    public var keys: [MediaKey]

    /// The date and time of its first sample as written (ISO 8601); nil when not given.
    public var programDateTime: String?

    /// A segment of parts.
    ///
    /// - Parameters:
    ///   - parts: Its parts in order; one without parts is not written.
    ///   - startsDiscontinuity: Whether its encoding or timestamps do not continue those of the segment before.
    ///   - map: The initialization that it needs; nil when it needs none.
    ///   - keys: The ways to decrypt it, any of which will do; empty when it is not encrypted.
    ///   - programDateTime: The date and time of its first sample as written (ISO 8601); nil when not given.
    public init(
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
public struct PreloadHint: Sendable, Hashable {
    /// What it will be.
    public enum Kind: String, Sendable {
        /// A part.
        case part = "PART"
        /// An initialization section.
        case map = "MAP"
    }

    /// What it will be.
    public var kind: Kind

    /// Where it will be, as written.
    public var uri: String

    /// Its first byte in the resource, from 0.
    public var byteRangeStart: Int64

    /// How many bytes it will have; nil for all to the resource's end.
    public var byteRangeLength: Int64?

    /// A hint.
    ///
    /// - Parameters:
    ///   - kind: What it will be.
    ///   - uri: Where it will be, as written.
    ///   - byteRangeStart: Its first byte in the resource, from 0.
    ///   - byteRangeLength: How many bytes it will have; nil for all to the resource's end.
    public init(kind: Kind, uri: String, byteRangeStart: Int64 = 0, byteRangeLength: Int64? = nil) {
        self.kind = kind
        self.uri = uri
        self.byteRangeStart = byteRangeStart
        self.byteRangeLength = byteRangeLength
    }
}

/// How far another rendition has come (`EXT-X-RENDITION-REPORT`; RFC 8216bis, 4.4.5.4).
public struct RenditionReport: Sendable, Hashable {
    /// Its media playlist, as written: relative to this one.
    public var uri: String

    /// The media sequence number of its last segment, whole or being made; nil says the same as in this playlist.
    public var lastMSN: Int?

    /// The number of that segment's last part, from 0; nil says the same as in this playlist, or that it has no parts.
    public var lastPart: Int?

    /// A report.
    ///
    /// - Parameters:
    ///   - uri: Its media playlist, as written: relative to this one.
    ///   - lastMSN: The media sequence number of its last segment, whole or being made; nil says the same as in this
    ///     playlist.
    ///   - lastPart: The number of that segment's last part, from 0; nil says the same as in this playlist, or that it
    ///     has no parts.
    public init(uri: String, lastMSN: Int? = nil, lastPart: Int? = nil) {
        self.uri = uri
        self.lastMSN = lastMSN
        self.lastPart = lastPart
    }
}
