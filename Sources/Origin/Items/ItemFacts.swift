import Media
import Packager
import Timeline

/// What an item is, to a person who chooses what to play.
package enum ItemKind: String, Sendable, Encodable {
    /// It has a picture that moves.
    case movie
    /// It has sound alone.
    case music
    /// It has sound and cover art.
    case musicWithArtwork
}

/// What a quick look into a file tells: no packet is read beyond what the container needs to be known.
struct ItemFacts: Sendable {
    /// What it is.
    var kind: ItemKind
    /// The title that the file carries.
    var title: String?
    /// The artist that the file carries.
    var artist: String?
    /// The album that the file carries.
    var album: String?
    /// The duration in seconds: as planned where that is known, else as claimed.
    var duration: Rational?
    /// libav's name of the container.
    var container: String
    /// What is in it.
    var streams: [StreamInfo]

    /// The facts of an opened file.
    init(container: String, duration: Rational?, tags: [String: String], streams: [StreamInfo]) {
        let hasVideo = streams.contains { $0.kind == .video && !$0.isAttachedPicture }
        let hasArtwork = streams.contains(where: \.isAttachedPicture)
        kind = hasVideo ? .movie : hasArtwork ? .musicWithArtwork : .music
        // Ogg keeps its tags with the stream, not with the file.
        let inStream = container == "ogg" ? streams.lazy.compactMap(\.title).first : nil
        title = Self.line(tags["title"]) ?? Self.line(inStream)
        artist = Self.line(tags["artist"]) ?? Self.line(tags["album_artist"])
        album = Self.line(tags["album"])
        self.duration = duration
        self.container = container
        self.streams = streams
    }

    /// The facts of a presentation, whose duration is known exactly.
    init(_ presentation: Presentation) {
        self.init(
            container: presentation.source.container,
            duration: presentation.plan.duration,
            tags: presentation.source.tags,
            streams: presentation.source.streams
        )
    }

    /// Opens a file just far enough.
    ///
    /// - Throws: ``MediaError``.
    init(lookingInto path: String, cancellation: Cancellation) throws(MediaError) {
        let input = try FileLook.open(path: path, cancellation: cancellation)
        self.init(
            container: input.formatName,
            duration: input.duration,
            tags: input.metadata,
            streams: input.streams
        )
    }

    /// A tag as one line without blanks around it; nil where nothing is left.
    private static func line(_ tag: String?) -> String? {
        guard let tag else { return nil }
        let words = tag.split { $0.isWhitespace || $0.isNewline || $0 == "\0" }
        return words.isEmpty ? nil : words.joined(separator: " ")
    }
}
