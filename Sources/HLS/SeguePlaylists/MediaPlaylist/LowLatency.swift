public import SegueBase

/// The delivery features of a server (`EXT-X-SERVER-CONTROL`; rfc8216bis, 4.4.3.8).
public struct ServerControl: Sendable, Hashable {
    /// The distance from the end in seconds beyond which delta updates skip segments; nil without delta updates.
    public var canSkipUntil: Rational?

    /// True if delta updates can skip date ranges.
    public var canSkipDateRanges: Bool

    /// The minimum distance of clients from the end in seconds; nil for three target durations.
    public var holdBack: Rational?

    /// The minimum distance from the end in seconds of clients that play parts; nil without parts.
    public var partHoldBack: Rational?

    /// True if the server supports blocking reloads.
    public var canBlockReload: Bool

    /// The features; times are zero or more.
    ///
    /// - Parameters:
    ///   - canSkipUntil: The distance from the end in seconds beyond which delta updates skip segments; nil without
    ///     delta updates.
    ///   - canSkipDateRanges: True if delta updates can skip date ranges.
    ///   - holdBack: The minimum distance of clients from the end in seconds; nil for three target durations.
    ///   - partHoldBack: The minimum distance from the end in seconds of clients that play parts; nil without parts.
    ///   - canBlockReload: True if the server supports blocking reloads.
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

/// A partial segment (`EXT-X-PART`; rfc8216bis, 4.4.4.9).
public struct PartialSegment: Sendable, Hashable {
    /// The URI as written.
    public var uri: String

    /// The duration in seconds.
    public var duration: Rational

    /// True if it contains an independent frame.
    public var isIndependent: Bool

    /// The byte range in the resource; nil for the whole resource.
    public var byteRange: ByteRange?

    /// True if the media are missing and must not be loaded.
    public var isGap: Bool

    /// A partial segment.
    ///
    /// - Parameters:
    ///   - uri: The URI as written.
    ///   - duration: The duration in seconds.
    ///   - isIndependent: True if it contains an independent frame.
    ///   - byteRange: The byte range in the resource; nil for the whole resource.
    ///   - isGap: True if the media are missing and must not be loaded.
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

/// The incomplete segment at the end, with its parts and tags.
public struct OpenSegment: Sendable, Equatable {
    /// The parts in order; without parts, the segment is not written.
    public var parts: [PartialSegment]

    /// True if the encoding or the timestamps do not continue the previous segment.
    public var startsDiscontinuity: Bool

    /// The initialization section; nil if none is needed.
    public var map: MediaMap?

    /// The alternative keys; empty if it is not encrypted.
    public var keys: [MediaKey]

    /// The date and time of the first sample as written (ISO 8601); nil if not given.
    public var programDateTime: String?

    /// An incomplete segment.
    ///
    /// - Parameters:
    ///   - parts: The parts in order; without parts, the segment is not written.
    ///   - startsDiscontinuity: True if the encoding or the timestamps do not continue the previous segment.
    ///   - map: The initialization section; nil if none is needed.
    ///   - keys: The alternative keys; empty if it is not encrypted.
    ///   - programDateTime: The date and time of the first sample as written (ISO 8601); nil if not given.
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

/// A hint at a resource that clients will probably need (`EXT-X-PRELOAD-HINT`; rfc8216bis, 4.4.5.3).
public struct PreloadHint: Sendable, Hashable {
    /// The kind of the resource.
    public enum Kind: String, Sendable {
        /// A partial segment.
        case part = "PART"
        /// An initialization section.
        case map = "MAP"
    }

    /// The kind of the resource.
    public var kind: Kind

    /// The URI as written.
    public var uri: String

    /// The first byte in the resource, from 0.
    public var byteRangeStart: Int64

    /// The number of bytes; nil up to the end of the resource.
    public var byteRangeLength: Int64?

    /// A hint.
    ///
    /// - Parameters:
    ///   - kind: The kind of the resource.
    ///   - uri: The URI as written.
    ///   - byteRangeStart: The first byte in the resource, from 0.
    ///   - byteRangeLength: The number of bytes; nil up to the end of the resource.
    public init(kind: Kind, uri: String, byteRangeStart: Int64 = 0, byteRangeLength: Int64? = nil) {
        self.kind = kind
        self.uri = uri
        self.byteRangeStart = byteRangeStart
        self.byteRangeLength = byteRangeLength
    }
}

/// The progress of another rendition (`EXT-X-RENDITION-REPORT`; rfc8216bis, 4.4.5.4).
public struct RenditionReport: Sendable, Hashable {
    /// The URI of its media playlist as written, relative to this one.
    public var uri: String

    /// The media sequence number of its last segment, complete or not; nil for the same as in this playlist.
    public var lastMSN: Int?

    /// The index of the last part of that segment, from 0; nil for the same as in this playlist, or without parts.
    public var lastPart: Int?

    /// A report.
    ///
    /// - Parameters:
    ///   - uri: The URI of its media playlist as written, relative to this one.
    ///   - lastMSN: The media sequence number of its last segment, complete or not; nil for the same as in this
    ///     playlist.
    ///   - lastPart: The index of the last part of that segment, from 0; nil for the same as in this playlist, or
    ///     without parts.
    public init(uri: String, lastMSN: Int? = nil, lastPart: Int? = nil) {
        self.uri = uri
        self.lastMSN = lastMSN
        self.lastPart = lastPart
    }
}
