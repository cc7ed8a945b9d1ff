import Media
import Packager
import Timeline

/// An item as `/api/items` shows it.
struct ItemDocument: Encodable {
    /// How much is known of the item.
    enum State: String, Encodable {
        /// Nobody has looked into the file yet: only its name is known.
        case pending
        /// What is in it is known.
        case known
        /// It cannot be opened; `error` says why.
        case failed
    }

    /// Why an item cannot be had, as in the body of an error.
    struct Problem: Encodable {
        var code: String
        var message: String
    }

    /// The URLs of an item, relative to the server's root; null where there is nothing to be had.
    struct Links: Encodable {
        var play: String?
        var background: String?
        var master: String?
        var original: String
        var artwork: String?

        func encode(to encoder: any Encoder) throws {
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

    var id: String
    var title: String
    var artist: String?
    var album: String?
    var path: String
    var folder: String
    var kind: ItemKind
    var state: State
    var duration: Double?
    var container: String?
    var streams: [StreamDocument]
    var links: Links
    var error: Problem?
    var plan: PlanDocument?
    var renditions: RenditionDocument.All?
    var tracks: [TrackDocument]?

    /// An item with what is known of it.
    init(_ item: LibraryItem, _ knowledge: Catalogue.Knowledge) {
        id = item.id
        path = item.path
        folder = item.folder
        let base = "/items/\(item.id)"
        links = Links(original: "\(base)/original")
        switch knowledge {
        case .known(let facts):
            state = .known
            title = facts.title ?? item.name
            artist = facts.artist
            album = facts.album
            kind = facts.kind
            duration = facts.duration.map(Self.seconds)
            container = facts.container
            streams = facts.streams.map(StreamDocument.init)
            let hasAudio = facts.streams.contains { $0.kind == .audio }
            if hasAudio || facts.kind == .movie {
                links.play = "\(base)/index.m3u8"
                links.master = "\(base)/master.m3u8"
            }
            if hasAudio { links.background = "\(base)/index.m3u8?background=1" }
            if facts.streams.contains(where: \.isAttachedPicture) { links.artwork = "\(base)/artwork.jpg" }
        case .pending:
            state = .pending
            title = item.name
            kind = Self.guess(item)
            streams = []
            links.play = "\(base)/index.m3u8"
            links.master = "\(base)/master.m3u8"
            links.background = "\(base)/index.m3u8?background=1"
        case .failed(let code, let message):
            state = .failed
            title = item.name
            kind = Self.guess(item)
            streams = []
            error = Problem(code: code, message: message)
        }
    }

    private enum CodingKeys: CodingKey {
        case id, title, artist, album, path, folder, kind, state, duration, container, streams, links, error, plan
        case renditions
        case tracks
    }

    /// Writes what every item has, null where it is not known, and what only some have.
    func encode(to encoder: any Encoder) throws {
        var fields = encoder.container(keyedBy: CodingKeys.self)
        try fields.encode(id, forKey: .id)
        try fields.encode(title, forKey: .title)
        try fields.encodeIfPresent(artist, forKey: .artist)
        try fields.encodeIfPresent(album, forKey: .album)
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
    }

    /// Seconds to the microsecond, as JSON has no fractions.
    static func seconds(_ time: Rational) -> Double { Double(time.rounded(scale: 1_000_000)) / 1e6 }

    /// What the name alone suggests.
    private static func guess(_ item: LibraryItem) -> ItemKind {
        MediaTypes.contentType(fileExtension: item.fileExtension).hasPrefix("audio/") ? .music : .movie
    }
}

/// A stream as `/api/items` shows it.
struct StreamDocument: Encodable {
    var index: Int
    var kind: String
    var codec: String
    var profile: String?
    var width: Int?
    var height: Int?
    var frameRate: Double?
    var sampleRate: Int?
    var channels: Int?
    var channelLayout: String?
    var bitRate: Int64?
    var language: String?
    var title: String?
    var isDefault: Bool
    var isArtwork: Bool
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
