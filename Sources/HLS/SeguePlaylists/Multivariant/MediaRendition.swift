/// An alternative rendition (`EXT-X-MEDIA`).
public struct MediaRendition: Sendable, Equatable {
    /// The kind of media.
    public enum Kind: String, Sendable {
        /// An audio rendition.
        case audio = "AUDIO"
        /// A video rendition.
        case video = "VIDEO"
        /// A rendition of subtitles.
        case subtitles = "SUBTITLES"
        /// Closed captions in the video.
        case closedCaptions = "CLOSED-CAPTIONS"
    }

    /// The kind of media.
    public var kind: Kind

    /// The group ID.
    public var group: String

    /// The name for users.
    public var name: String

    /// The language (RFC 5646); nil if not given.
    public var language: String?

    /// True if it plays by default.
    public var isDefault = false

    /// True if players may select it automatically.
    public var isAutoselected = false

    /// True if it is essential (subtitles only).
    public var isForced = false

    /// The URI of its media playlist as written; nil if it is in the variant's media.
    public var uri: String?

    /// The channel count and further parameters as written; nil if not given.
    public var channels: String?

    /// The captions, such as `CC1`, or the stream in the media; nil if not given.
    public var instreamID: String?

    /// The characteristics as uniform type identifiers; empty if not given.
    public var characteristics: [String] = []

    /// An associated language, such as the written form of a spoken one (`ASSOC-LANGUAGE`); nil if not given.
    public var associatedLanguage: String?

    /// The ID that identifies it across versions (`STABLE-RENDITION-ID`); nil if not given.
    public var stableID: String?

    /// The bit depth of audio samples (`BIT-DEPTH`); nil if not given.
    public var bitDepth: Int?

    /// The audio sample rate (`SAMPLE-RATE`); nil if not given.
    public var sampleRate: Int?

    /// The channel count; nil if ``channels`` does not start with one.
    public var channelCount: Int? {
        channels.flatMap { PlaylistNumber.integer($0.prefix { $0 != "/" }) }
    }

    /// A rendition; the other attributes are set as properties.
    ///
    /// - Parameters:
    ///   - kind: The kind of media.
    ///   - group: The group that variants refer to (GROUP-ID).
    ///   - name: The name for users.
    ///   - language: The language (RFC 5646); nil if not given.
    ///   - uri: The URI of its media playlist as written; nil if it is in the variant's media.
    public init(kind: Kind, group: String, name: String, language: String? = nil, uri: String? = nil) {
        self.kind = kind
        self.group = group
        self.name = name
        self.language = language
        self.uri = uri
    }
}
