/// One of the titles that an app plays, with the addresses of what it can be played from.
public struct Title: Sendable, Equatable {
    /// A part of a title that can be played by itself.
    public enum Rendition: Sendable {
        /// All of it.
        case full
        /// Its sound alone.
        case sound
    }

    /// The playlist of all of it in one stream.
    public let full: String

    /// The playlist of its sound alone; nil where there is none.
    public let sound: String?

    /// The multivariant playlist, in which the sound is a rendition of its own; nil where there is none.
    public let multivariant: String?

    /// A title.
    public init(full: String, sound: String? = nil, multivariant: String? = nil) {
        (self.full, self.sound, self.multivariant) = (full, sound, multivariant)
    }
}
