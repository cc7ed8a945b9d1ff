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

    /// What the server offers to clients that reload (`EXT-X-SERVER-CONTROL`); nil when it says nothing of it.
    package var serverControl: ServerControl?

    /// The greatest duration of a part in seconds (`EXT-X-PART-INF`); nil where there are no parts.
    package var partTarget: Rational?

    /// What was left out at the front of a delta update (`EXT-X-SKIP`); nil for a whole playlist.
    package var skip: PlaylistSkip?

    /// The segments in order; of a delta update, those after the ones that were left out.
    package var segments: [MediaSegment]

    /// The segment that is still being made, as far as its parts are there; nil when none is.
    package var open: OpenSegment?

    /// The date ranges in the order of their first tags, one for each ID (`EXT-X-DATERANGE`).
    package var dateRanges: [DateRange]

    /// What will probably be needed next (`EXT-X-PRELOAD-HINT`); clients heed the first of each kind.
    package var preloadHints: [PreloadHint]

    /// How far other renditions have come (`EXT-X-RENDITION-REPORT`).
    package var renditionReports: [RenditionReport]

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
        declaredVersion: Int? = nil,
        serverControl: ServerControl? = nil,
        partTarget: Rational? = nil,
        skip: PlaylistSkip? = nil,
        open: OpenSegment? = nil,
        dateRanges: [DateRange] = [],
        preloadHints: [PreloadHint] = [],
        renditionReports: [RenditionReport] = []
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
        self.serverControl = serverControl
        self.partTarget = partTarget
        self.skip = skip
        self.open = open
        self.dateRanges = dateRanges
        self.preloadHints = preloadHints
        self.renditionReports = renditionReports
    }

    /// The media sequence number of the first segment that is listed: that of the playlist, and what was left out.
    package var firstListedSequence: Int { mediaSequence + (skip?.segments ?? 0) }

    /// The media sequence number of the segment after the last whole one, which is the one that is being made.
    package var nextSequence: Int { firstListedSequence + segments.count }

    /// The parts after the last segment.
    package var openParts: [PartialSegment] { open?.parts ?? [] }

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
