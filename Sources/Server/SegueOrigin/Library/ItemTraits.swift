import SegueBase
import SegueFFmpeg

/// What is known of an item to somebody who looks for it: what its file says, or else its name and folders.
struct ItemTraits: Sendable {
    /// What it is; by its name while nobody has looked into it.
    var kind: ItemKind
    /// The title that the file carries, or else what the name tells, or else the name.
    var title: String
    /// Who plays it; of music without tags the folder above the album's.
    var artist: String?
    /// Whose album it is, where that is said.
    var albumArtist: String?
    /// The album; of music without tags its folder.
    var album: String?
    /// The number of the track on its disc.
    var track: Int?
    /// The number of the disc.
    var disc: Int?
    /// The year in which it came out.
    var year: Int?
    /// What kind of music or film it is, as the file says.
    var genre: String?
    /// The series of which it is an episode.
    var series: String?
    /// The season; 0 for specials.
    var season: Int?
    /// The episode, or the first of several.
    var episode: Int?
    /// The width of the picture in pixels.
    var width: Int?
    /// The height of the picture in pixels.
    var height: Int?
    /// The duration in seconds.
    var duration: Rational?
    /// When the file was written, in nanoseconds since 1970; nil while nobody has looked.
    var added: Int64?
    /// Whether there is a picture of it.
    var hasArtwork = false

    /// What is known of an item.
    init(_ item: LibraryItem, _ knowledge: Catalogue.Knowledge) {
        var tags = ItemTags()
        if case .known(let facts) = knowledge {
            kind = facts.kind
            tags = facts.tags
            duration = facts.duration
            added = facts.added
            hasArtwork = facts.hasArtwork
            let film = facts.streams.first { $0.kind == .video && !$0.isAttachedPicture }
            (width, height) = (film?.width, film?.height)
        } else {
            kind = MediaTypes.contentType(fileExtension: item.fileExtension).hasPrefix("audio/") ? .music : .movie
        }
        (artist, albumArtist, album, genre) = (tags.artist, tags.albumArtist, tags.album, tags.genre)
        (track, disc, year) = (tags.track, tags.disc, tags.year)
        title = tags.title ?? item.name
        if kind == .movie {
            let name = TitleName(folder: item.folder, name: item.name)
            if tags.title == nil, let found = name.title { title = found }
            year = year ?? name.year
            series = tags.series ?? name.series
            season = tags.series == nil ? name.season : tags.season ?? name.season ?? 1
            episode = tags.episode ?? name.episode
        } else {
            let folders = Self.albumFolders(item.folder)
            album = album ?? folders.last.map(String.init)
            if artist == nil, albumArtist == nil { artist = folders.dropLast().last.map(String.init) }
        }
    }

    /// By whom lists have it.
    var groupArtist: String? { albumArtist ?? artist }

    /// The folders of a path, without one of a single disc at the end.
    static func albumFolders(_ path: String) -> ArraySlice<Substring> {
        let folders = path.split(separator: "/")
        guard folders.count > 1, let last = folders.last else { return folders[...] }
        var scanner = MarkScanner(last)
        let isDisc = scanner.take("disc") || scanner.take("disk") || scanner.take("cd")
        _ = scanner.take(" ")
        return isDisc && scanner.number(most: 2) != nil && scanner.isAtEnd ? folders.dropLast() : folders[...]
    }
}

/// What a file says of itself.
struct ItemTags: Sendable, Equatable {
    /// The title.
    var title: String?
    /// Who plays it, or else whose album it is.
    var artist: String?
    /// Whose album it is.
    var albumArtist: String?
    /// The album.
    var album: String?
    /// What kind of music or film it is.
    var genre: String?
    /// The series.
    var series: String?
    /// The number of the track, from 1 on.
    var track: Int?
    /// The number of the disc, from 1 on.
    var disc: Int?
    /// The year.
    var year: Int?
    /// The season.
    var season: Int?
    /// The episode.
    var episode: Int?

    /// How many bytes of one tag are kept.
    private static let most = 500

    /// Nothing.
    init() {}

    /// Reads tags by libav's names for them.
    init(_ tags: [String: String]) {
        title = Self.line(tags["title"])
        albumArtist = Self.line(tags["album_artist"] ?? tags["albumartist"] ?? tags["album artist"])
        artist = Self.line(tags["artist"]) ?? albumArtist
        album = Self.line(tags["album"])
        genre = Self.line(tags["genre"])
        series = Self.line(tags["show"])
        track = Self.number(tags["track"] ?? tags["tracknumber"], in: 1...9999)
        disc = Self.number(tags["disc"] ?? tags["discnumber"], in: 1...999)
        year = Self.year(tags["date"] ?? tags["year"] ?? tags["originaldate"])
        season = Self.number(tags["season_number"], in: 0...9999)
        episode = Self.number(tags["episode_sort"], in: 0...99999)
    }

    /// A tag as one line without blanks around it; nil where nothing is left.
    static func line(_ tag: String?) -> String? {
        guard let tag else { return nil }
        let words = tag.split { $0.isWhitespace || $0.isNewline || $0 == "\0" }
        if words.isEmpty { return nil }
        let line = words.joined(separator: " ")
        return line.utf8.count <= most ? line : String(line.prefix(most / 4))
    }

    /// The number at the beginning: `3` of `3/12`.
    private static func number(_ tag: String?, in range: ClosedRange<Int>) -> Int? {
        let digits = (tag ?? "").drop(while: \.isWhitespace).prefix { $0.isASCII && $0.isNumber }
        return Int(digits).flatMap { range.contains($0) ? $0 : nil }
    }

    /// The year at the beginning of a date: `1999` of `1999-05-01`.
    private static func year(_ tag: String?) -> Int? {
        let digits = (tag ?? "").drop(while: \.isWhitespace).prefix { $0.isASCII && $0.isNumber }
        return digits.count == 4 ? number(String(digits), in: 1000...2999) : nil
    }
}
