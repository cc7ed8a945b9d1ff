package import Timeline

/// One segment of a media playlist.
package struct MediaSegment: Sendable, Equatable {
    /// Where it is, as written: usually relative to the playlist's URL.
    package var uri: String

    /// How long it is, in seconds.
    package var duration: Rational

    /// A human-readable title; empty when there is none.
    package var title: String

    /// The part of the resource that is the segment; nil for the whole.
    package var byteRange: ByteRange?

    /// Whether its encoding or timestamps do not continue those of the segment before.
    package var startsDiscontinuity: Bool

    /// The initialization that it needs; nil when it needs none.
    package var map: MediaMap?

    /// The ways to decrypt it, any of which will do; empty when it is not encrypted.
    package var keys: [MediaKey]

    /// The date and time of its first sample as written (ISO 8601); nil when not given.
    package var programDateTime: String?

    /// Whether its media are missing and must not be loaded.
    package var isGap: Bool

    /// Its parts in order, as far as they are listed (`EXT-X-PART`); empty when they are not.
    package var parts: [PartialSegment]

    /// Roughly its bits per second, in thousands (`EXT-X-BITRATE`); nil when not given or not the whole of a resource.
    package var bitrate: Int?

    /// A segment.
    package init(
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
package struct ByteRange: Sendable, Hashable {
    /// The first byte, from 0.
    package var offset: Int64

    /// How many bytes.
    package var length: Int64

    /// The range of `length` bytes from `offset`.
    package init(offset: Int64, length: Int64) {
        self.offset = offset
        self.length = length
    }
}

/// The initialization section that segments need (`EXT-X-MAP`).
package struct MediaMap: Sendable, Hashable {
    /// Where it is, as written.
    package var uri: String

    /// The part of the resource; nil for the whole.
    package var byteRange: ByteRange?

    /// The ways to decrypt it, any of which will do; empty when it is not encrypted (RFC 8216, 4.3.2.4).
    package var keys: [MediaKey]

    /// An initialization section.
    package init(uri: String, byteRange: ByteRange? = nil, keys: [MediaKey] = []) {
        self.uri = uri
        self.byteRange = byteRange
        self.keys = keys
    }
}

/// A way to decrypt segments (`EXT-X-KEY`).
package struct MediaKey: Sendable, Hashable {
    /// How they are encrypted, such as `AES-128`; never `NONE`.
    package var method: String

    /// Where the key is, as written.
    package var uri: String

    /// The initialization vector as written (`0x…`); nil for the media sequence number.
    package var initializationVector: String?

    /// How the key is represented; `identity` unless given.
    package var keyFormat: String

    /// The versions of the key format as written; nil unless given.
    package var keyFormatVersions: String?

    /// A way to decrypt.
    package init(
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
