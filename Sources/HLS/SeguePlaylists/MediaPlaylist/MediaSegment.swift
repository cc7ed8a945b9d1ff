public import SegueBase

/// A segment of a media playlist.
public struct MediaSegment: Sendable, Equatable {
    /// The URI as written, usually relative to the playlist's URL.
    public var uri: String

    /// The duration in seconds.
    public var duration: Rational

    /// The title; empty if there is none.
    public var title = ""

    /// The byte range of the segment; nil for the whole resource.
    public var byteRange: ByteRange?

    /// True if the encoding or the timestamps do not continue the previous segment.
    public var startsDiscontinuity: Bool

    /// The initialization section; nil if none is needed.
    public var map: MediaMap?

    /// The alternative keys; empty if it is not encrypted.
    public var keys: [MediaKey]

    /// The date and time of the first sample as written (ISO 8601); nil if not given.
    public var programDateTime: String?

    /// True if the media are missing and must not be loaded.
    public var isGap = false

    /// The listed parts in order (`EXT-X-PART`); empty if none is listed.
    public var parts: [PartialSegment] = []

    /// The approximate bit rate in kbit/s (`EXT-X-BITRATE`); nil if not given or for a byte range.
    public var bitrate: Int?

    /// A segment; the other tags are set as properties.
    ///
    /// - Parameters:
    ///   - uri: The URI as written, usually relative to the playlist's URL.
    ///   - duration: The duration in seconds.
    ///   - byteRange: The byte range of the segment; nil for the whole resource.
    ///   - startsDiscontinuity: True if the encoding or the timestamps do not continue the previous segment.
    ///   - map: The initialization section; nil if none is needed.
    ///   - keys: The alternative keys; empty if it is not encrypted.
    public init(
        uri: String,
        duration: Rational,
        byteRange: ByteRange? = nil,
        startsDiscontinuity: Bool = false,
        map: MediaMap? = nil,
        keys: [MediaKey] = []
    ) {
        self.uri = uri
        self.duration = duration
        self.byteRange = byteRange
        self.startsDiscontinuity = startsDiscontinuity
        self.map = map
        self.keys = keys
    }
}

/// A byte range of a resource.
public struct ByteRange: Sendable, Hashable {
    /// The first byte, from 0.
    public var offset: Int64

    /// The number of bytes.
    public var length: Int64

    /// The range of `length` bytes from `offset`.
    ///
    /// - Parameters:
    ///   - offset: The first byte, from 0.
    ///   - length: The number of bytes.
    public init(offset: Int64, length: Int64) {
        self.offset = offset
        self.length = length
    }
}

/// An initialization section (`EXT-X-MAP`).
public struct MediaMap: Sendable, Hashable {
    /// The URI as written.
    public var uri: String

    /// The byte range; nil for the whole resource.
    public var byteRange: ByteRange?

    /// The alternative keys; empty if it is not encrypted (RFC 8216, 4.3.2.4).
    public var keys: [MediaKey]

    /// An initialization section.
    ///
    /// - Parameters:
    ///   - uri: The URI as written.
    ///   - byteRange: The byte range; nil for the whole resource.
    ///   - keys: The alternative keys; empty if it is not encrypted (RFC 8216, 4.3.2.4).
    public init(uri: String, byteRange: ByteRange? = nil, keys: [MediaKey] = []) {
        self.uri = uri
        self.byteRange = byteRange
        self.keys = keys
    }
}

/// A key for decryption (`EXT-X-KEY`).
public struct MediaKey: Sendable, Hashable {
    /// The encryption method, such as `AES-128`; never `NONE`.
    public var method: String

    /// The URI of the key as written.
    public var uri: String

    /// The initialization vector as written (`0x…`); nil for the media sequence number.
    public var initializationVector: String?

    /// The key format; `identity` by default.
    public var keyFormat: String

    /// The versions of the key format as written; nil if not given.
    public var keyFormatVersions: String?

    /// A key.
    ///
    /// - Parameters:
    ///   - method: The encryption method, such as `AES-128`; never `NONE`.
    ///   - uri: The URI of the key as written.
    ///   - initializationVector: The initialization vector as written (`0x…`); nil for the media sequence number.
    ///   - keyFormat: The key format; `identity` by default.
    ///   - keyFormatVersions: The versions of the key format as written; nil if not given.
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
