/// A title with the URLs of its renditions.
public struct Title: Sendable, Equatable {
    /// A rendition of a title.
    public enum Rendition: Sendable {
        /// Video and audio.
        case full
        /// The audio alone.
        case audio
    }

    /// The playlist with video and audio in one stream.
    public let full: String

    /// The playlist with the audio alone; nil if there is none.
    public let audio: String?

    /// The multivariant playlist with the audio as a rendition of its own; nil if there is none.
    public let multivariant: String?

    /// Creates a title.
    public init(full: String, audio: String? = nil, multivariant: String? = nil) {
        (self.full, self.audio, self.multivariant) = (full, audio, multivariant)
    }
}
