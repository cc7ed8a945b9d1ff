public import SegueBase

/// A media playlist (RFC 8216, 4.3.3): an ordered list of segments.
public struct MediaPlaylist: Sendable, Equatable {
    /// Whether and how the playlist may change.
    public enum Kind: String, Sendable {
        /// It does not change.
        case vod = "VOD"
        /// Segments are only added at its end.
        case event = "EVENT"
    }

    /// The version that the playlist declared when it was read; nil when it declared none, or was not read.
    ///
    /// Writing ignores it: ``requiredVersion`` is written.
    public var declaredVersion: Int?

    /// An upper bound of the segments' durations, in whole seconds.
    public var targetDuration: Int

    /// The media sequence number of the first segment.
    public var mediaSequence: Int

    /// The discontinuity sequence number of the first segment.
    public var discontinuitySequence: Int

    /// Whether and how it may change; nil when it does not say.
    public var kind: Kind?

    /// Whether each segment can be decoded without those before it.
    public var isIndependent: Bool

    /// Whether each segment is a single I-frame.
    public var isIFramesOnly: Bool

    /// Where players are to begin; nil leaves it to them.
    public var start: PlaylistStart?

    /// What the server offers to clients that reload (`EXT-X-SERVER-CONTROL`); nil when it says nothing of it.
    public var serverControl: ServerControl?

    /// The greatest duration of a part in seconds (`EXT-X-PART-INF`); nil where there are no parts.
    public var partTarget: Rational?

    /// What was left out at the front of a delta update (`EXT-X-SKIP`); nil for a whole playlist.
    public var skip: PlaylistSkip?

    /// The segments in order; of a delta update, those after the ones that were left out.
    public var segments: [MediaSegment]

    /// The segment that is still being made, as far as its parts are there; nil when none is.
    public var open: OpenSegment?

    /// The date ranges in the order of their first tags, one for each ID (`EXT-X-DATERANGE`).
    public var dateRanges: [DateRange]

    /// What will probably be needed next (`EXT-X-PRELOAD-HINT`); clients heed the first of each kind.
    public var preloadHints: [PreloadHint]

    /// How far other renditions have come (`EXT-X-RENDITION-REPORT`).
    public var renditionReports: [RenditionReport]

    /// Whether no segment will be added.
    public var hasEndList: Bool

    /// A playlist of segments; without a target duration, the least that the segments allow.
    ///
    /// - Parameters:
    ///   - segments: The segments in order; of a delta update, those after the ones that were left out.
    ///   - kind: Whether and how it may change; nil when it does not say.
    ///   - hasEndList: Whether no segment will be added.
    ///   - targetDuration: An upper bound of the segments' durations, in whole seconds.
    ///   - mediaSequence: The media sequence number of the first segment.
    ///   - discontinuitySequence: The discontinuity sequence number of the first segment.
    ///   - isIndependent: Whether each segment can be decoded without those before it.
    ///   - isIFramesOnly: Whether each segment is a single I-frame.
    ///   - start: Where players are to begin; nil leaves it to them.
    ///   - declaredVersion: The version that the playlist declared when it was read; nil when it declared none, or was
    ///     not read. Writing ignores it: ``requiredVersion`` is written.
    ///   - serverControl: What the server offers to clients that reload (`EXT-X-SERVER-CONTROL`); nil when it says
    ///     nothing of it.
    ///   - partTarget: The greatest duration of a part in seconds (`EXT-X-PART-INF`); nil where there are no parts.
    ///   - skip: What was left out at the front of a delta update (`EXT-X-SKIP`); nil for a whole playlist.
    ///   - open: The segment that is still being made, as far as its parts are there; nil when none is.
    ///   - dateRanges: The date ranges in the order of their first tags, one for each ID (`EXT-X-DATERANGE`).
    ///   - preloadHints: What will probably be needed next (`EXT-X-PRELOAD-HINT`); clients heed the first of each kind.
    ///   - renditionReports: How far other renditions have come (`EXT-X-RENDITION-REPORT`).
    public init(
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
    public var firstListedSequence: Int { mediaSequence + (skip?.segments ?? 0) }

    /// The media sequence number of the segment after the last whole one, which is the one that is being made.
    public var nextSequence: Int { firstListedSequence + segments.count }

    /// The parts after the last segment.
    public var openParts: [PartialSegment] { open?.parts ?? [] }

    /// The sum of the segments' durations in seconds.
    public var duration: Rational { segments.reduce(.zero) { $0 + $1.duration } }

    /// The least target duration that these segments allow: the longest, rounded to the nearest second, at least 1.
    ///
    /// RFC 8216, 4.3.3.1: no segment's duration, rounded to the nearest integer, may be greater.
    ///
    /// - Parameter segments: The segments.
    /// - Returns: Whole seconds.
    public static func targetDuration(for segments: [MediaSegment]) -> Int {
        let longest = segments.map(\.duration).max() ?? .zero
        // The duration as written decides: 6.4999997 is written 6.500000, which rounds to 7.
        let written = Rational(longest.ceiled(scale: 1_000_000), 1_000_000)
        return max(1, Int(written.rounded(scale: 1)))
    }
}

/// Where to begin to play (`EXT-X-START`).
public struct PlaylistStart: Sendable, Hashable {
    /// Seconds from the beginning; below zero, from the end.
    public var timeOffset: Rational

    /// Whether samples before it in its segment must not be shown.
    public var isPrecise: Bool

    /// A place to begin.
    ///
    /// - Parameters:
    ///   - timeOffset: Seconds from the beginning; below zero, from the end.
    ///   - isPrecise: Whether samples before it in its segment must not be shown.
    public init(timeOffset: Rational, isPrecise: Bool = false) {
        self.timeOffset = timeOffset
        self.isPrecise = isPrecise
    }
}
