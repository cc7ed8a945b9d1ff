import SegueBase
import SegueFFmpeg
import SeguePackager

// Size: the members of a JSON object of the API.
/// An item in `/api/items`.
package struct ItemDocument: Encodable, Sendable {
    package enum State: String, Encodable, Sendable {
        /// The file is not scanned yet; only its name is known.
        case pending
        case known
        /// The file cannot be opened; `error` has the reason.
        case failed
    }

    /// The reason why an item cannot be served, as in the body of an error.
    package struct Problem: Encodable, Sendable {
        var code: String
        package var message: String
    }

    /// The URLs of an item, relative to the server's root; null if they do not exist.
    package struct Links: Encodable, Sendable {
        /// The media playlist with audio and video.
        package var play: String?
        /// The audio-only media playlist.
        package var background: String?
        var master: String?
        /// The original file.
        package var original: String
        package var artwork: String?

        package func encode(to encoder: any Encoder) throws {
            // Null is written, since a missing key could mean an older server.
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encode(play, forKey: .play)
            try container.encode(background, forKey: .background)
            try container.encode(master, forKey: .master)
            try container.encode(original, forKey: .original)
            try container.encode(artwork, forKey: .artwork)
        }

        private enum CodingKeys: CodingKey { case play, background, master, original, artwork }
    }

    package var id: String
    /// The title tag of the file, or the title in its name.
    package var title: String
    package var artist: String?
    package var albumArtist: String?
    package var album: String?
    package var track: Int?
    package var disc: Int?
    package var year: Int?
    package var genre: String?
    package var series: String?
    /// The season; 0 for specials.
    package var season: Int?
    package var episode: Int?
    /// The modification time of the file in ISO 8601.
    package var added: String?
    /// The width of the video in pixels.
    package var width: Int?
    /// The height of the video in pixels.
    package var height: Int?
    /// The path below its root, for display.
    package var path: String
    var folder: String
    /// The kind; judged by the name until the file is scanned.
    package var kind: ItemKind
    package var state: State
    /// The duration in seconds, if it is known.
    package var duration: Double?
    var container: String?
    /// The known streams.
    package var streams: [StreamDocument]
    package var links: Links
    /// The reason why it cannot be served.
    package var error: Problem?
    var plan: PlanDocument?
    var renditions: RenditionDocument.All?
    var tracks: [TrackDocument]?
    var chapters: [ChapterDocument]?

    /// - Parameters:
    ///   - knowledge: The result of its scan.
    ///   - mount: The path prefix of its links (``OriginRequest/mount``).
    init(_ item: LibraryItem, _ knowledge: Catalogue.Knowledge, below mount: String) {
        let traits = ItemTraits(item, knowledge)
        id = item.id
        path = item.path
        folder = item.folder
        let base = "\(mount)/items/\(item.id)"
        links = Links(original: "\(base)/original")
        title = traits.title
        kind = traits.kind
        (artist, albumArtist, album, genre) = (traits.artist, traits.albumArtist, traits.album, traits.genre)
        (track, disc, year) = (traits.track, traits.disc, traits.year)
        (series, season, episode) = (traits.series, traits.season, traits.episode)
        (width, height) = (traits.width, traits.height)
        added = traits.added.map(TimeText.iso8601(nanoseconds:))
        switch knowledge {
        case .known(let facts):
            state = .known
            duration = facts.duration.map(Self.seconds)
            container = facts.container
            streams = facts.streams.map(StreamDocument.init)
            let hasAudio = facts.streams.contains { $0.kind == .audio }
            if hasAudio || facts.kind == .movie {
                links.play = "\(base)/index.m3u8"
                links.master = "\(base)/master.m3u8"
            }
            if hasAudio { links.background = "\(base)/index.m3u8?background=1" }
            if traits.hasArtwork { links.artwork = "\(base)/artwork.jpg" }
        case .pending:
            state = .pending
            streams = []
            links.play = "\(base)/index.m3u8"
            links.master = "\(base)/master.m3u8"
            links.background = "\(base)/index.m3u8?background=1"
        case .failed(let code, let message):
            state = .failed
            streams = []
            error = Problem(code: code, message: message)
        }
    }

    private enum CodingKeys: CodingKey {
        case id, title, artist, albumArtist, album, track, disc, year, genre, series, season, episode, added, width,
            height
        case path, folder, kind, state, duration, container, streams, links, error, plan, renditions, tracks
        case chapters
    }

    /// Writes the common fields, null if they are unknown, and the optional fields that are known.
    package func encode(to encoder: any Encoder) throws {
        var fields = encoder.container(keyedBy: CodingKeys.self)
        try fields.encode(id, forKey: .id)
        try fields.encode(title, forKey: .title)
        try fields.encodeIfPresent(artist, forKey: .artist)
        try fields.encodeIfPresent(albumArtist, forKey: .albumArtist)
        try fields.encodeIfPresent(album, forKey: .album)
        for (number, key) in [
            (track, CodingKeys.track), (disc, .disc), (year, .year), (season, .season), (episode, .episode),
            (width, .width), (height, .height),
        ] {
            try fields.encodeIfPresent(number, forKey: key)
        }
        try fields.encodeIfPresent(genre, forKey: .genre)
        try fields.encodeIfPresent(series, forKey: .series)
        try fields.encodeIfPresent(added, forKey: .added)
        try fields.encode(path, forKey: .path)
        try fields.encode(folder, forKey: .folder)
        try fields.encode(kind, forKey: .kind)
        try fields.encode(state, forKey: .state)
        try fields.encode(duration, forKey: .duration)
        try fields.encode(container, forKey: .container)
        try fields.encode(streams, forKey: .streams)
        try fields.encode(links, forKey: .links)
        try fields.encodeIfPresent(error, forKey: .error)
        try fields.encodeIfPresent(plan, forKey: .plan)
        try fields.encodeIfPresent(renditions, forKey: .renditions)
        try fields.encodeIfPresent(tracks, forKey: .tracks)
        try fields.encodeIfPresent(chapters, forKey: .chapters)
    }

    /// Seconds, rounded to the microsecond.
    static func seconds(_ time: Rational) -> Double { Double(time.rounded(scale: 1_000_000)) / 1e6 }
}

// Size: the members of a JSON object of the API.
/// A stream in `/api/items`.
package struct StreamDocument: Encodable, Sendable {
    var index: Int
    /// `video`, `audio` or `subtitle`.
    package var kind: String
    /// The codec's name in libav.
    package var codec: String
    var profile: String?
    /// The width of the video in pixels.
    package var width: Int?
    /// The height of the video in pixels.
    package var height: Int?
    var frameRate: Double?
    var sampleRate: Int?
    /// The number of audio channels.
    package var channels: Int?
    /// The channel layout's name in libav.
    package var channelLayout: String?
    var bitRate: Int64?
    var language: String?
    var title: String?
    var isDefault: Bool
    /// True for an attached picture.
    package var isArtwork: Bool
    var treatments: [String: String]?

    init(_ stream: StreamInfo) {
        index = stream.index
        kind = stream.kind.rawValue
        codec = stream.codec
        profile = stream.profileName
        bitRate = stream.bitRate > 0 ? stream.bitRate : nil
        language = stream.language
        title = stream.title
        isDefault = stream.isDefault
        isArtwork = stream.isAttachedPicture
        if stream.kind == .video {
            (width, height) = stream.uprightSize
            if !stream.isAttachedPicture {
                frameRate = stream.averageFrameRate.map { Double($0.rounded(scale: 1000)) / 1000 }
            }
        }
        if stream.kind == .audio {
            sampleRate = stream.sampleRate
            channels = stream.channels
            channelLayout = stream.channelLayout
        }
    }
}
