/// An alternative for a part of a presentation (`EXT-X-MEDIA`).
public struct MediaRendition: Sendable, Equatable {
    /// What it is an alternative for.
    public enum Kind: String, Sendable {
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
    public var kind: Kind

    /// The group that it belongs to.
    public var group: String

    /// Its name for people.
    public var name: String

    /// Its language (RFC 5646); nil when not given.
    public var language: String?

    /// Whether it is played when the user has not chosen.
    public var isDefault: Bool

    /// Whether it may be chosen by the user's language and the like.
    public var isAutoselected: Bool

    /// Whether it is essential to play (subtitles only).
    public var isForced: Bool

    /// Its media playlist as written; nil when it is in the variant's own media.
    public var uri: String?

    /// Its number of audio channels and further parameters as written; nil when not given.
    public var channels: String?

    /// Which captions it is, such as `CC1`, or which stream of the media; nil when not given.
    public var instreamID: String?

    /// What it is like, as uniform type identifiers; empty when not given.
    public var characteristics: [String]

    /// A language that goes with its own, such as the written to the spoken (`ASSOC-LANGUAGE`); nil when not given.
    public var associatedLanguage: String?

    /// What names it from one load of the playlist to the next (`STABLE-RENDITION-ID`); nil when not given.
    public var stableID: String?

    /// The bits of an audio sample (`BIT-DEPTH`); nil when not given.
    public var bitDepth: Int?

    /// The audio samples in a second (`SAMPLE-RATE`); nil when not given.
    public var sampleRate: Int?

    /// The number of audio channels; nil where ``channels`` does not begin with one.
    public var channelCount: Int? {
        channels.flatMap { PlaylistNumber.integer($0.prefix { $0 != "/" }) }
    }

    /// A rendition.
    ///
    /// - Parameters:
    ///   - kind: What it is an alternative for.
    ///   - group: The group that it belongs to.
    ///   - name: Its name for people.
    ///   - language: Its language (RFC 5646); nil when not given.
    ///   - isDefault: Whether it is played when the user has not chosen.
    ///   - isAutoselected: Whether it may be chosen by the user's language and the like.
    ///   - isForced: Whether it is essential to play (subtitles only).
    ///   - uri: Its media playlist as written; nil when it is in the variant's own media.
    ///   - channels: Its number of audio channels and further parameters as written; nil when not given.
    ///   - instreamID: Which captions it is, such as `CC1`, or which stream of the media; nil when not given.
    ///   - characteristics: What it is like, as uniform type identifiers; empty when not given.
    ///   - associatedLanguage: A language that goes with its own, such as the written to the spoken (`ASSOC-LANGUAGE`);
    ///     nil when not given.
    ///   - stableID: What names it from one load of the playlist to the next (`STABLE-RENDITION-ID`); nil when not
    ///     given.
    ///   - bitDepth: The bits of an audio sample (`BIT-DEPTH`); nil when not given.
    ///   - sampleRate: The audio samples in a second (`SAMPLE-RATE`); nil when not given.
    public init(
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
        characteristics: [String] = [],
        associatedLanguage: String? = nil,
        stableID: String? = nil,
        bitDepth: Int? = nil,
        sampleRate: Int? = nil
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
        self.associatedLanguage = associatedLanguage
        self.stableID = stableID
        self.bitDepth = bitDepth
        self.sampleRate = sampleRate
    }
}
