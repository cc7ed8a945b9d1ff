import SegueBase
import SegueFFmpeg
import SeguePackager

/// The kind of an item, for display.
package enum ItemKind: String, Sendable, Encodable {
    case movie
    /// Audio without cover art.
    case music
    /// Audio with cover art.
    case musicWithArtwork
}

/// The result of a scan; it reads no more packets than the container needs to be identified.
struct ItemFacts: Sendable {
    var kind: ItemKind
    var tags: ItemTags
    /// The duration in seconds: exact if it is planned, otherwise as the container claims.
    var duration: Rational?
    /// The container's name in libav.
    var container: String
    var streams: [StreamInfo]
    /// The modification time of the file, in nanoseconds since 1970.
    var added: Int64?

    init(container: String, duration: Rational?, tags: [String: String], streams: [StreamInfo]) {
        let hasVideo = streams.contains { $0.kind == .video && !$0.isAttachedPicture }
        let hasArtwork = streams.contains(where: \.isAttachedPicture)
        kind = hasVideo ? .movie : hasArtwork ? .musicWithArtwork : .music
        // Ogg stores its tags in the stream.
        let inStream = container == "ogg" ? streams.lazy.compactMap(\.title).first : nil
        self.tags = ItemTags(tags)
        if self.tags.title == nil { self.tags.title = ItemTags.line(inStream) }
        self.duration = duration
        self.container = container
        self.streams = streams
    }

    /// The facts of a presentation, whose duration is exact.
    init(_ presentation: any Presenting) {
        self.init(
            container: presentation.source.container,
            duration: presentation.plan.duration,
            tags: presentation.source.tags,
            streams: presentation.source.streams
        )
        isPlanned = true
    }

    /// The facts of a scan.
    init(_ found: MediaDescription) {
        self.init(
            container: found.container,
            duration: found.claimedDuration,
            tags: found.tags,
            streams: found.streams
        )
    }

    /// True for the facts of a presentation.
    var isPlanned = false

    /// True if an image file is next to the file.
    var hasSidecarImage = false

    /// True if there is an image; a video always has one.
    var hasArtwork: Bool { kind != .music || hasSidecarImage }
}
