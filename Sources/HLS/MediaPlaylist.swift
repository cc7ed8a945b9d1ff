package import Timeline

/// A media playlist (RFC 8216, 4.3.3): an ordered list of segments.
package struct MediaPlaylist: Sendable, Equatable {
    /// Whether and how the playlist may change.
    package enum Kind: String, Sendable {
        /// It does not change.
        case vod = "VOD"
        /// Segments are only added at its end.
        case event = "EVENT"
    }

    /// The version that the playlist declared when it was read; nil when it declared none, or was not read.
    ///
    /// Writing ignores it: ``requiredVersion`` is written.
    package var declaredVersion: Int?

    /// An upper bound of the segments' durations, in whole seconds.
    package var targetDuration: Int

    /// The media sequence number of the first segment.
    package var mediaSequence: Int

    /// The discontinuity sequence number of the first segment.
    package var discontinuitySequence: Int

    /// Whether and how it may change; nil when it does not say.
    package var kind: Kind?

    /// Whether each segment can be decoded without those before it.
    package var isIndependent: Bool

    /// Whether each segment is a single I-frame.
    package var isIFramesOnly: Bool

    /// Where players are to begin; nil leaves it to them.
    package var start: PlaylistStart?

    /// The segments in order.
    package var segments: [MediaSegment]

    /// Whether no segment will be added.
    package var hasEndList: Bool

    /// A playlist of segments; without a target duration, the least that the segments allow.
    package init(
        segments: [MediaSegment],
        kind: Kind? = .vod,
        hasEndList: Bool = true,
        targetDuration: Int? = nil,
        mediaSequence: Int = 0,
        discontinuitySequence: Int = 0,
        isIndependent: Bool = false,
        isIFramesOnly: Bool = false,
        start: PlaylistStart? = nil,
        declaredVersion: Int? = nil
    ) {
        self.segments = segments
        self.kind = kind
        self.hasEndList = hasEndList
        self.targetDuration = targetDuration ?? MediaPlaylist.targetDuration(for: segments)
        self.mediaSequence = mediaSequence
        self.discontinuitySequence = discontinuitySequence
        self.isIndependent = isIndependent
        self.isIFramesOnly = isIFramesOnly
        self.start = start
        self.declaredVersion = declaredVersion
    }

    /// The sum of the segments' durations in seconds.
    package var duration: Rational { segments.reduce(.zero) { $0 + $1.duration } }

    /// The least target duration that these segments allow: the longest, rounded to the nearest second, at least 1.
    ///
    /// RFC 8216, 4.3.3.1: no segment's duration, rounded to the nearest integer, may be greater.
    package static func targetDuration(for segments: [MediaSegment]) -> Int {
        let longest = segments.map(\.duration).max() ?? .zero
        // The duration as written decides: 6.4999997 is written 6.500000, which rounds to 7.
        let written = Rational(longest.ceiled(scale: 1_000_000), 1_000_000)
        return max(1, Int(written.rounded(scale: 1)))
    }
}

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
        isGap: Bool = false
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

/// Where to begin to play (`EXT-X-START`).
package struct PlaylistStart: Sendable, Hashable {
    /// Seconds from the beginning; below zero, from the end.
    package var timeOffset: Rational

    /// Whether samples before it in its segment must not be shown.
    package var isPrecise: Bool

    /// A place to begin.
    package init(timeOffset: Rational, isPrecise: Bool = false) {
        self.timeOffset = timeOffset
        self.isPrecise = isPrecise
    }
}
