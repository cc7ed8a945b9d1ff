public import SegueBase

// Size: one property for each tag of a media playlist.
/// A media playlist (RFC 8216, 4.3.3): an ordered list of segments.
public struct MediaPlaylist: Sendable, Equatable {
    /// The way in which a playlist may change.
    public enum Kind: String, Sendable {
        /// The playlist does not change.
        case vod = "VOD"
        /// Segments are only added at the end.
        case event = "EVENT"
    }

    /// The declared version of a parsed playlist; nil if it declared none or was not parsed.
    ///
    /// The writer ignores it and writes ``requiredVersion``.
    public var declaredVersion: Int?

    /// The maximum duration of the segments in whole seconds.
    public var targetDuration: Int

    /// The media sequence number of the first segment.
    public var mediaSequence: Int

    /// The discontinuity sequence number of the first segment.
    public var discontinuitySequence = 0

    /// The way in which the playlist may change; nil if not given.
    public var kind: Kind?

    /// True if each segment decodes without earlier ones.
    public var isIndependent: Bool

    /// True if each segment is a single I-frame.
    public var isIFramesOnly = false

    /// The start position; nil leaves it to the player.
    public var start: PlaylistStart?

    /// The delivery features of the server (`EXT-X-SERVER-CONTROL`); nil if not given.
    public var serverControl: ServerControl?

    /// The maximum duration of a part in seconds (`EXT-X-PART-INF`); nil without parts.
    public var partTarget: Rational?

    /// The skipped part of a delta update (`EXT-X-SKIP`); nil for a whole playlist.
    public var skip: PlaylistSkip?

    /// The segments in order; in a delta update, those after the skipped ones.
    public var segments: [MediaSegment]

    /// The incomplete segment at the end; nil without open parts.
    public var open: OpenSegment?

    /// The date ranges in the order of their first tags, one for each ID (`EXT-X-DATERANGE`).
    public var dateRanges: [DateRange] = []

    /// The preload hints (`EXT-X-PRELOAD-HINT`); clients use the first of each kind.
    public var preloadHints: [PreloadHint] = []

    /// The progress of other renditions (`EXT-X-RENDITION-REPORT`).
    public var renditionReports: [RenditionReport] = []

    /// True if no segment will be added.
    public var hasEndList: Bool

    /// A playlist of segments; the other tags are set as properties.
    ///
    /// The default target duration is the minimum for the segments.
    ///
    /// - Parameters:
    ///   - segments: The segments in order; in a delta update, those after the skipped ones.
    ///   - kind: The way in which the playlist may change; nil if not given.
    ///   - hasEndList: True if no segment will be added.
    ///   - targetDuration: The maximum duration of the segments in whole seconds.
    ///   - mediaSequence: The media sequence number of the first segment.
    ///   - isIndependent: True if each segment decodes without earlier ones.
    public init(
        segments: [MediaSegment],
        kind: Kind? = .vod,
        hasEndList: Bool = true,
        targetDuration: Int? = nil,
        mediaSequence: Int = 0,
        isIndependent: Bool = false
    ) {
        self.segments = segments
        self.kind = kind
        self.hasEndList = hasEndList
        self.targetDuration = targetDuration ?? MediaPlaylist.targetDuration(for: segments)
        self.mediaSequence = mediaSequence
        self.isIndependent = isIndependent
    }

    /// The media sequence number of the first listed segment, after the skipped ones.
    public var firstListedSequence: Int { mediaSequence + (skip?.segments ?? 0) }

    /// The media sequence number after the last complete segment, which is that of the open one.
    public var nextSequence: Int { firstListedSequence + segments.count }

    /// The parts after the last segment.
    public var openParts: [PartialSegment] { open?.parts ?? [] }

    /// The total duration of the segments in seconds.
    public var duration: Rational { segments.reduce(.zero) { $0 + $1.duration } }

    /// Returns the minimum target duration for some segments: the longest, rounded to the nearest second, at least 1.
    ///
    /// RFC 8216, 4.3.3.1: no segment's duration, rounded to the nearest integer, may be greater.
    ///
    /// - Parameter segments: The segments of a playlist.
    /// - Returns: The target duration in whole seconds.
    public static func targetDuration(for segments: [MediaSegment]) -> Int {
        let longest = segments.map(\.duration).max() ?? .zero
        // The duration as written decides: 6.4999997 is written 6.500000, which rounds to 7.
        let written = Rational(longest.ceiled(scale: 1_000_000), 1_000_000)
        return max(1, Int(written.rounded(scale: 1)))
    }
}

/// The start position of playback (`EXT-X-START`).
public struct PlaylistStart: Sendable, Hashable {
    /// The offset in seconds from the start; negative values count from the end.
    public var timeOffset: Rational

    /// True if players must not show earlier samples of the segment.
    public var isPrecise: Bool

    /// A start position.
    ///
    /// - Parameters:
    ///   - timeOffset: The offset in seconds from the start; negative values count from the end.
    ///   - isPrecise: True if players must not show earlier samples of the segment.
    public init(timeOffset: Rational, isPrecise: Bool = false) {
        self.timeOffset = timeOffset
        self.isPrecise = isPrecise
    }
}
