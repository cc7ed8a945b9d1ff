import SegueBase
import SegueFFmpeg
import SeguePackager

/// An item as `/api/items` shows it.
package struct ItemDocument: Encodable, Sendable {
    /// How much is known of the item.
    package enum State: String, Encodable, Sendable {
        /// Nobody has looked into the file yet: only its name is known.
        case pending
        /// What is in it is known.
        case known
        /// It cannot be opened; `error` says why.
        case failed
    }

    /// Why an item cannot be had, as in the body of an error.
    package struct Problem: Encodable, Sendable {
        var code: String
        /// One line for a person.
        package var message: String
    }

    /// The URLs of an item, relative to the server's root; null where there is nothing to be had.
    package struct Links: Encodable, Sendable {
        /// The media playlist of picture and sound.
        package var play: String?
        /// The media playlist of the sound alone.
        package var background: String?
        var master: String?
        /// The file as it is.
        package var original: String
        /// The cover art.
        package var artwork: String?

        /// Writes all of them.
        package func encode(to encoder: any Encoder) throws {
            // `null` is written out: a missing key could be taken for an old server's.
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encode(play, forKey: .play)
            try container.encode(background, forKey: .background)
            try container.encode(master, forKey: .master)
            try container.encode(original, forKey: .original)
            try container.encode(artwork, forKey: .artwork)
        }

        private enum CodingKeys: CodingKey { case play, background, master, original, artwork }
    }

    /// What the library calls it.
    package var id: String
    /// The title that the file carries, or else what its name tells.
    package var title: String
    /// Who plays it.
    package var artist: String?
    /// Whose album it is.
    package var albumArtist: String?
    /// The album.
    package var album: String?
    /// The number of the track on its disc.
    package var track: Int?
    /// The number of the disc.
    package var disc: Int?
    /// The year in which it came out.
    package var year: Int?
    /// What kind of music or film it is.
    package var genre: String?
    /// The series of which it is an episode.
    package var series: String?
    /// The season; 0 for specials.
    package var season: Int?
    /// The episode.
    package var episode: Int?
    /// When the file was written, in ISO 8601.
    package var added: String?
    /// The width of the picture, in pixels.
    package var width: Int?
    /// The height of the picture, in pixels.
    package var height: Int?
    /// The path below its root, for display.
    package var path: String
    var folder: String
    /// What it is; by its name while nobody has looked into it.
    package var kind: ItemKind
    /// How much is known of it.
    package var state: State
    /// Its length in seconds, where that is known.
    package var duration: Double?
    var container: String?
    /// What is in it, as far as that is known.
    package var streams: [StreamDocument]
    /// Where it can be had.
    package var links: Links
    /// Why it cannot be had.
    package var error: Problem?
    var plan: PlanDocument?
    var renditions: RenditionDocument.All?
    var tracks: [TrackDocument]?
    var chapters: [ChapterDocument]?

    /// An item with what is known of it.
    ///
    /// - Parameters:
    ///   - item: The item.
    ///   - knowledge: What is known.
    ///   - mount: What its links begin with (``OriginRequest/mount``).
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

    /// Writes what every item has, null where it is not known, and what only some have.
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

    /// Seconds to the microsecond, as JSON has no fractions.
    static func seconds(_ time: Rational) -> Double { Double(time.rounded(scale: 1_000_000)) / 1e6 }
}

/// A stream as `/api/items` shows it.
package struct StreamDocument: Encodable, Sendable {
    var index: Int
    /// `video`, `audio` or `subtitle`.
    package var kind: String
    /// libav's name of the codec.
    package var codec: String
    var profile: String?
    /// The width of pictures, in pixels.
    package var width: Int?
    /// The height of pictures, in pixels.
    package var height: Int?
    var frameRate: Double?
    var sampleRate: Int?
    /// The number of channels of sound.
    package var channels: Int?
    /// libav's name of the layout of the channels.
    package var channelLayout: String?
    var bitRate: Int64?
    var language: String?
    var title: String?
    var isDefault: Bool
    /// Whether it is a picture that is attached to the file.
    package var isArtwork: Bool
    var treatments: [String: String]?

    /// What a stream is, by the words that fit its kind.
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
            width = stream.width
            height = stream.height
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
