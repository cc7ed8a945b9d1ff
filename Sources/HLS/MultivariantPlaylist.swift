package import Timeline

/// A multivariant playlist (RFC 8216, 4.3.4, where it is called a master playlist): the variants to choose from.
package struct MultivariantPlaylist: Sendable, Equatable {
    /// The version that the playlist declared when it was read; nil when it declared none, or was not read.
    package var declaredVersion: Int?

    /// Whether every segment of every variant can be decoded without those before it.
    package var isIndependent: Bool

    /// Where players are to begin; nil leaves it to them.
    package var start: PlaylistStart?

    /// The variants in order; the first is the one to begin with.
    package var variants: [Variant]

    /// The variants of I-frames alone.
    package var iFrameVariants: [Variant]

    /// The renditions that variants refer to by group.
    package var renditions: [MediaRendition]

    /// The variables that media playlists may import.
    package var variables: [String: String]

    /// A playlist of variants.
    package init(
        variants: [Variant],
        iFrameVariants: [Variant] = [],
        renditions: [MediaRendition] = [],
        isIndependent: Bool = false,
        start: PlaylistStart? = nil,
        variables: [String: String] = [:],
        declaredVersion: Int? = nil
    ) {
        self.variants = variants
        self.iFrameVariants = iFrameVariants
        self.renditions = renditions
        self.isIndependent = isIndependent
        self.start = start
        self.variables = variables
        self.declaredVersion = declaredVersion
    }

    /// The renditions of a type in a group, in order.
    package func renditions(_ kind: MediaRendition.Kind, inGroup group: String) -> [MediaRendition] {
        renditions.filter { $0.kind == kind && $0.group == group }
    }
}

/// One way to play the whole presentation (`EXT-X-STREAM-INF`, `EXT-X-I-FRAME-STREAM-INF`).
package struct Variant: Sendable, Equatable {
    /// The media playlist, as written.
    package var uri: String

    /// The peak bit rate in bits per second.
    package var bandwidth: Int

    /// The average bit rate in bits per second; nil when not given.
    package var averageBandwidth: Int?

    /// The formats in it (RFC 6381); empty when not given.
    package var codecs: [String]

    /// The picture's size in pixels; nil when not given.
    package var resolution: Resolution?

    /// The greatest frame rate; nil when not given.
    package var frameRate: Rational?

    /// `SDR`, `HLG` or `PQ`; nil when not given.
    package var videoRange: String?

    /// The protection that its output needs, `NONE` for none; nil when not given.
    package var hdcpLevel: String?

    /// The group of its audio renditions; nil when there is none.
    package var audioGroup: String?

    /// The group of its video renditions; nil when there is none.
    package var videoGroup: String?

    /// The group of its subtitle renditions; nil when there is none.
    package var subtitlesGroup: String?

    /// The group of its closed captions; `NONE` says that there are none anywhere; nil when not given.
    package var closedCaptionsGroup: String?

    /// A variant.
    package init(
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
        closedCaptionsGroup: String? = nil
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
    }
}

/// A picture's size in pixels.
package struct Resolution: Sendable, Hashable, CustomStringConvertible {
    /// Pixels across.
    package var width: Int

    /// Pixels down.
    package var height: Int

    /// A size.
    package init(width: Int, height: Int) {
        self.width = width
        self.height = height
    }

    package var description: String { "\(width)x\(height)" }
}

/// An alternative for a part of a presentation (`EXT-X-MEDIA`).
package struct MediaRendition: Sendable, Equatable {
    /// What it is an alternative for.
    package enum Kind: String, Sendable {
        /// Sound.
        case audio = "AUDIO"
        /// Picture.
        case video = "VIDEO"
        /// Subtitles.
        case subtitles = "SUBTITLES"
        /// Captions inside the video.
        case closedCaptions = "CLOSED-CAPTIONS"
    }

    /// What it is an alternative for.
    package var kind: Kind

    /// The group that it belongs to.
    package var group: String

    /// Its name for people.
    package var name: String

    /// Its language (RFC 5646); nil when not given.
    package var language: String?

    /// Whether it is played when the user has not chosen.
    package var isDefault: Bool

    /// Whether it may be chosen by the user's language and the like.
    package var isAutoselected: Bool

    /// Whether it is essential to play (subtitles only).
    package var isForced: Bool

    /// Its media playlist as written; nil when it is in the variant's own media.
    package var uri: String?

    /// Its number of audio channels and further parameters as written; nil when not given.
    package var channels: String?

    /// Which captions it is, such as `CC1`; nil but for closed captions.
    package var instreamID: String?

    /// What it is like, as uniform type identifiers; empty when not given.
    package var characteristics: [String]

    /// A rendition.
    package init(
        kind: Kind,
        group: String,
        name: String,
        language: String? = nil,
        isDefault: Bool = false,
        isAutoselected: Bool = false,
        isForced: Bool = false,
        uri: String? = nil,
        channels: String? = nil,
        instreamID: String? = nil,
        characteristics: [String] = []
    ) {
        self.kind = kind
        self.group = group
        self.name = name
        self.language = language
        self.isDefault = isDefault
        self.isAutoselected = isAutoselected
        self.isForced = isForced
        self.uri = uri
        self.channels = channels
        self.instreamID = instreamID
        self.characteristics = characteristics
    }
}
