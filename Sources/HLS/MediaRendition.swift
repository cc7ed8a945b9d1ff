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

    /// Which captions it is, such as `CC1`, or which stream of the media; nil when not given.
    package var instreamID: String?

    /// What it is like, as uniform type identifiers; empty when not given.
    package var characteristics: [String]

    /// A language that goes with its own, such as the written to the spoken (`ASSOC-LANGUAGE`); nil when not given.
    package var associatedLanguage: String?

    /// What names it from one load of the playlist to the next (`STABLE-RENDITION-ID`); nil when not given.
    package var stableID: String?

    /// The bits of an audio sample (`BIT-DEPTH`); nil when not given.
    package var bitDepth: Int?

    /// The audio samples in a second (`SAMPLE-RATE`); nil when not given.
    package var sampleRate: Int?

    /// The number of audio channels; nil where ``channels`` does not begin with one.
    package var channelCount: Int? {
        channels.flatMap { PlaylistNumber.integer($0.prefix { $0 != "/" }) }
    }

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
