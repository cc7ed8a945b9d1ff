public import SegueBase

/// One way to play the whole presentation (`EXT-X-STREAM-INF`, `EXT-X-I-FRAME-STREAM-INF`).
public struct Variant: Sendable, Equatable {
    /// The media playlist, as written.
    public var uri: String

    /// The peak bit rate in bits per second.
    public var bandwidth: Int

    /// The average bit rate in bits per second; nil when not given.
    public var averageBandwidth: Int?

    /// The formats in it (RFC 6381); empty when not given.
    public var codecs: [String]

    /// The picture's size in pixels; nil when not given.
    public var resolution: Resolution?

    /// The greatest frame rate; nil when not given.
    public var frameRate: Rational?

    /// `SDR`, `HLG` or `PQ`; nil when not given.
    public var videoRange: String?

    /// The protection that its output needs, `NONE` for none; nil when not given.
    public var hdcpLevel: String?

    /// The group of its audio renditions; nil when there is none.
    public var audioGroup: String?

    /// The group of its video renditions; nil when there is none.
    public var videoGroup: String?

    /// The group of its subtitle renditions; nil when there is none.
    public var subtitlesGroup: String?

    /// The group of its closed captions; `NONE` says that there are none anywhere; nil when not given.
    public var closedCaptionsGroup: String?

    /// Formats that some players can decode of what others decode as ``codecs`` say, with brands after slashes
    /// (`SUPPLEMENTAL-CODECS`); empty when not given.
    public var supplementalCodecs: [String]

    /// How much the author prefers it to others, zero or more (`SCORE`); nil when not given.
    public var score: Rational?

    /// What protection may do for it, for each system (`ALLOWED-CPC`); nil when not given.
    public var allowedProtection: [ContentProtection]?

    /// How its picture must be shown, as entries such as `CH-STEREO/PROJ-RECT` (`REQ-VIDEO-LAYOUT`); empty when not
    /// given.
    public var videoLayouts: [String]

    /// What names it from one load of the playlist to the next (`STABLE-VARIANT-ID`); nil when not given.
    public var stableID: String?

    /// The pathway that it belongs to (`PATHWAY-ID`); nil when not given, which is the pathway `.`.
    public var pathwayID: String?

    /// A variant.
    ///
    /// - Parameters:
    ///   - uri: The media playlist, as written.
    ///   - bandwidth: The peak bit rate in bits per second.
    ///   - averageBandwidth: The average bit rate in bits per second; nil when not given.
    ///   - codecs: The formats in it (RFC 6381); empty when not given.
    ///   - resolution: The picture's size in pixels; nil when not given.
    ///   - frameRate: The greatest frame rate; nil when not given.
    ///   - videoRange: `SDR`, `HLG` or `PQ`; nil when not given.
    ///   - hdcpLevel: The protection that its output needs, `NONE` for none; nil when not given.
    ///   - audioGroup: The group of its audio renditions; nil when there is none.
    ///   - videoGroup: The group of its video renditions; nil when there is none.
    ///   - subtitlesGroup: The group of its subtitle renditions; nil when there is none.
    ///   - closedCaptionsGroup: The group of its closed captions; `NONE` says that there are none anywhere; nil when
    ///     not given.
    ///   - supplementalCodecs: Formats that some players can decode of what others decode as ``codecs`` say, with
    ///     brands after slashes (`SUPPLEMENTAL-CODECS`); empty when not given.
    ///   - score: How much the author prefers it to others, zero or more (`SCORE`); nil when not given.
    ///   - allowedProtection: What protection may do for it, for each system (`ALLOWED-CPC`); nil when not given.
    ///   - videoLayouts: How its picture must be shown, as entries such as `CH-STEREO/PROJ-RECT` (`REQ-VIDEO-LAYOUT`);
    ///     empty when not given.
    ///   - stableID: What names it from one load of the playlist to the next (`STABLE-VARIANT-ID`); nil when not given.
    ///   - pathwayID: The pathway that it belongs to (`PATHWAY-ID`); nil when not given, which is the pathway `.`.
    public init(
        uri: String,
        bandwidth: Int,
        averageBandwidth: Int? = nil,
        codecs: [String] = [],
        resolution: Resolution? = nil,
        frameRate: Rational? = nil,
        videoRange: String? = nil,
        hdcpLevel: String? = nil,
        audioGroup: String? = nil,
        videoGroup: String? = nil,
        subtitlesGroup: String? = nil,
        closedCaptionsGroup: String? = nil,
        supplementalCodecs: [String] = [],
        score: Rational? = nil,
        allowedProtection: [ContentProtection]? = nil,
        videoLayouts: [String] = [],
        stableID: String? = nil,
        pathwayID: String? = nil
    ) {
        self.uri = uri
        self.bandwidth = bandwidth
        self.averageBandwidth = averageBandwidth
        self.codecs = codecs
        self.resolution = resolution
        self.frameRate = frameRate
        self.videoRange = videoRange
        self.hdcpLevel = hdcpLevel
        self.audioGroup = audioGroup
        self.videoGroup = videoGroup
        self.subtitlesGroup = subtitlesGroup
        self.closedCaptionsGroup = closedCaptionsGroup
        self.supplementalCodecs = supplementalCodecs
        self.score = score
        self.allowedProtection = allowedProtection
        self.videoLayouts = videoLayouts
        self.stableID = stableID
        self.pathwayID = pathwayID
    }
}

/// A picture's size in pixels.
public struct Resolution: Sendable, Hashable, CustomStringConvertible {
    /// Pixels across.
    public var width: Int

    /// Pixels down.
    public var height: Int

    /// A size.
    ///
    /// - Parameters:
    ///   - width: Pixels across.
    ///   - height: Pixels down.
    public init(width: Int, height: Int) {
        self.width = width
        self.height = height
    }

    /// The size, such as `1920x1080`.
    public var description: String { "\(width)x\(height)" }
}
