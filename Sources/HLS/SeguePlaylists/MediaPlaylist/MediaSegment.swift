public import SegueBase

/// One segment of a media playlist.
public struct MediaSegment: Sendable, Equatable {
    /// Where it is, as written: usually relative to the playlist's URL.
    public var uri: String

    /// How long it is, in seconds.
    public var duration: Rational

    /// A human-readable title; empty when there is none.
    public var title: String

    /// The part of the resource that is the segment; nil for the whole.
    public var byteRange: ByteRange?

    /// Whether its encoding or timestamps do not continue those of the segment before.
    public var startsDiscontinuity: Bool

    /// The initialization that it needs; nil when it needs none.
    public var map: MediaMap?

    /// The ways to decrypt it, any of which will do; empty when it is not encrypted.
    public var keys: [MediaKey]

    /// The date and time of its first sample as written (ISO 8601); nil when not given.
    public var programDateTime: String?

    /// Whether its media are missing and must not be loaded.
    public var isGap: Bool

    /// Its parts in order, as far as they are listed (`EXT-X-PART`); empty when they are not.
    public var parts: [PartialSegment]

    /// Roughly its bits per second, in thousands (`EXT-X-BITRATE`); nil when not given or not the whole of a resource.
    public var bitrate: Int?

    /// A segment.
    ///
    /// - Parameters:
    ///   - uri: Where it is, as written: usually relative to the playlist's URL.
    ///   - duration: How long it is, in seconds.
    ///   - title: A human-readable title; empty when there is none.
    ///   - byteRange: The part of the resource that is the segment; nil for the whole.
    ///   - startsDiscontinuity: Whether its encoding or timestamps do not continue those of the segment before.
    ///   - map: The initialization that it needs; nil when it needs none.
    ///   - keys: The ways to decrypt it, any of which will do; empty when it is not encrypted.
    ///   - programDateTime: The date and time of its first sample as written (ISO 8601); nil when not given.
    ///   - isGap: Whether its media are missing and must not be loaded.
    ///   - parts: Its parts in order, as far as they are listed (`EXT-X-PART`); empty when they are not.
    ///   - bitrate: Roughly its bits per second, in thousands (`EXT-X-BITRATE`); nil when not given or not the whole of
    ///     a resource.
    public init(
        uri: String,
        duration: Rational,
        title: String = "",
        byteRange: ByteRange? = nil,
        startsDiscontinuity: Bool = false,
        map: MediaMap? = nil,
        keys: [MediaKey] = [],
        programDateTime: String? = nil,
        isGap: Bool = false,
        parts: [PartialSegment] = [],
        bitrate: Int? = nil
    ) {
        self.uri = uri
        self.duration = duration
        self.title = title
        self.byteRange = byteRange
        self.startsDiscontinuity = startsDiscontinuity
        self.map = map
        self.keys = keys
        self.programDateTime = programDateTime
        self.isGap = isGap
        self.parts = parts
        self.bitrate = bitrate
    }
}

/// A part of a resource.
public struct ByteRange: Sendable, Hashable {
    /// The first byte, from 0.
    public var offset: Int64

    /// How many bytes.
    public var length: Int64

    /// The range of `length` bytes from `offset`.
    ///
    /// - Parameters:
    ///   - offset: The first byte, from 0.
    ///   - length: How many bytes.
    public init(offset: Int64, length: Int64) {
        self.offset = offset
        self.length = length
    }
}

/// The initialization section that segments need (`EXT-X-MAP`).
public struct MediaMap: Sendable, Hashable {
    /// Where it is, as written.
    public var uri: String

    /// The part of the resource; nil for the whole.
    public var byteRange: ByteRange?

    /// The ways to decrypt it, any of which will do; empty when it is not encrypted (RFC 8216, 4.3.2.4).
    public var keys: [MediaKey]

    /// An initialization section.
    ///
    /// - Parameters:
    ///   - uri: Where it is, as written.
    ///   - byteRange: The part of the resource; nil for the whole.
    ///   - keys: The ways to decrypt it, any of which will do; empty when it is not encrypted (RFC 8216, 4.3.2.4).
    public init(uri: String, byteRange: ByteRange? = nil, keys: [MediaKey] = []) {
        self.uri = uri
        self.byteRange = byteRange
        self.keys = keys
    }
}

/// A way to decrypt segments (`EXT-X-KEY`).
public struct MediaKey: Sendable, Hashable {
    /// How they are encrypted, such as `AES-128`; never `NONE`.
    public var method: String

    /// Where the key is, as written.
    public var uri: String

    /// The initialization vector as written (`0x…`); nil for the media sequence number.
    public var initializationVector: String?

    /// How the key is represented; `identity` unless given.
    public var keyFormat: String

    /// The versions of the key format as written; nil unless given.
    public var keyFormatVersions: String?

    /// A way to decrypt.
    ///
    /// - Parameters:
    ///   - method: How they are encrypted, such as `AES-128`; never `NONE`.
    ///   - uri: Where the key is, as written.
    ///   - initializationVector: The initialization vector as written (`0x…`); nil for the media sequence number.
    ///   - keyFormat: How the key is represented; `identity` unless given.
    ///   - keyFormatVersions: The versions of the key format as written; nil unless given.
    public init(
        method: String,
        uri: String,
        initializationVector: String? = nil,
        keyFormat: String = "identity",
        keyFormatVersions: String? = nil
    ) {
        self.method = method
        self.uri = uri
        self.initializationVector = initializationVector
        self.keyFormat = keyFormat
        self.keyFormatVersions = keyFormatVersions
    }
}
