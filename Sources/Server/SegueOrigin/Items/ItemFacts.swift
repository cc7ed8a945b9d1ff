import SegueBase
import SegueFFmpeg
import SeguePackager

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
    /// What the file says of itself.
    var tags: ItemTags
    /// The duration in seconds: as planned where that is known, else as claimed.
    var duration: Rational?
    /// libav's name of the container.
    var container: String
    /// What is in it.
    var streams: [StreamInfo]
    /// When the file was written, in nanoseconds since 1970.
    var added: Int64?

    /// The facts of an opened file.
    init(container: String, duration: Rational?, tags: [String: String], streams: [StreamInfo]) {
        let hasVideo = streams.contains { $0.kind == .video && !$0.isAttachedPicture }
        let hasArtwork = streams.contains(where: \.isAttachedPicture)
        kind = hasVideo ? .movie : hasArtwork ? .musicWithArtwork : .music
        // Ogg keeps its tags with the stream, not with the file.
        let inStream = container == "ogg" ? streams.lazy.compactMap(\.title).first : nil
        self.tags = ItemTags(tags)
        if self.tags.title == nil { self.tags.title = ItemTags.line(inStream) }
        self.duration = duration
        self.container = container
        self.streams = streams
    }

    /// The facts of a presentation, whose duration is known exactly.
    init(_ presentation: any Presenting) {
        self.init(
            container: presentation.source.container,
            duration: presentation.plan.duration,
            tags: presentation.source.tags,
            streams: presentation.source.streams
        )
        isPlanned = true
    }

    /// The facts of a file that was looked into, and no further.
    init(_ found: MediaDescription) {
        self.init(
            container: found.container,
            duration: found.claimedDuration,
            tags: found.tags,
            streams: found.streams
        )
    }

    /// Whether this is what opening the file for playing has shown, and not a look alone.
    var isPlanned = false

    /// Whether a picture lies beside it.
    var hasSidePicture = false

    /// Whether there is a picture of it: of a film there always is.
    var hasArtwork: Bool { kind != .music || hasSidePicture }
}
