public import SegueBase

// Size: one property for each attribute of EXT-X-STREAM-INF.
/// A variant of the presentation (`EXT-X-STREAM-INF`, `EXT-X-I-FRAME-STREAM-INF`).
public struct Variant: Sendable, Equatable {
    /// The URI of the media playlist as written.
    public var uri: String

    /// The peak bit rate in bit/s.
    public var bandwidth: Int

    /// The average bit rate in bit/s; nil if not given.
    public var averageBandwidth: Int?

    /// The codecs (RFC 6381); empty if not given.
    public var codecs: [String]

    /// The video size in pixels; nil if not given.
    public var resolution: Resolution?

    /// The maximum frame rate; nil if not given.
    public var frameRate: Rational?

    /// `SDR`, `HLG`, or `PQ`; nil if not given.
    public var videoRange: String?

    /// The required output protection, `NONE` for none; nil if not given.
    public var hdcpLevel: String?

    /// The audio group; nil if not given.
    public var audioGroup: String?

    /// The video group; nil if not given.
    public var videoGroup: String?

    /// The subtitles group; nil if not given.
    public var subtitlesGroup: String?

    /// The closed captions group, or `NONE` for no captions in any variant; nil if not given.
    public var closedCaptionsGroup: String?

    /// The enhancement codecs with brands after slashes, for players that support more than ``codecs``
    /// (`SUPPLEMENTAL-CODECS`); empty if not given.
    public var supplementalCodecs: [String] = []

    /// The preference of the author, zero or more (`SCORE`); nil if not given.
    public var score: Rational?

    /// The allowed content protection for each key system (`ALLOWED-CPC`); nil if not given.
    public var allowedProtection: [ContentProtection]?

    /// The required video layouts, such as `CH-STEREO/PROJ-RECT` (`REQ-VIDEO-LAYOUT`); empty if not given.
    public var videoLayouts: [String] = []

    /// The ID that identifies it across versions (`STABLE-VARIANT-ID`); nil if not given.
    public var stableID: String?

    /// The pathway (`PATHWAY-ID`); nil if not given, which means the pathway `.`.
    public var pathwayID: String?

    /// A variant; the other attributes are set as properties.
    ///
    /// - Parameters:
    ///   - uri: The URI of the media playlist as written.
    ///   - bandwidth: The peak bit rate in bit/s.
    ///   - averageBandwidth: The average bit rate in bit/s; nil if not given.
    ///   - codecs: The codecs (RFC 6381); empty if not given.
    ///   - resolution: The video size in pixels; nil if not given.
    ///   - frameRate: The maximum frame rate; nil if not given.
    public init(
        uri: String,
        bandwidth: Int,
        averageBandwidth: Int? = nil,
        codecs: [String] = [],
        resolution: Resolution? = nil,
        frameRate: Rational? = nil
    ) {
        self.uri = uri
        self.bandwidth = bandwidth
        self.averageBandwidth = averageBandwidth
        self.codecs = codecs
        self.resolution = resolution
        self.frameRate = frameRate
    }
}

/// A video size in pixels.
public struct Resolution: Sendable, Hashable, CustomStringConvertible {
    /// The width in pixels.
    public var width: Int

    /// The height in pixels.
    public var height: Int

    /// A video size.
    ///
    /// - Parameters:
    ///   - width: The width in pixels.
    ///   - height: The height in pixels.
    public init(width: Int, height: Int) {
        self.width = width
        self.height = height
    }

    /// The size, such as `1920x1080`.
    public var description: String { "\(width)x\(height)" }
}
