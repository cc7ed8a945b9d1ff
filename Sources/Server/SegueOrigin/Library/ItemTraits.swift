import SegueBase
import SegueFFmpeg

// Size: a flat record, a field for each trait that a query can name.
/// The searchable traits of an item: from its file's tags, or otherwise from its name and folders.
struct ItemTraits: Sendable {
    /// The kind; judged by the name until the file is scanned.
    var kind: ItemKind
    /// The title tag, or the title in the name, or the name.
    var title: String
    /// The performer; for music without tags, the folder above the album's.
    var artist: String?
    var albumArtist: String?
    /// The album; for music without tags, its folder.
    var album: String?
    var track: Int?
    var disc: Int?
    var year: Int?
    /// The genre tag.
    var genre: String?
    var series: String?
    /// The season; 0 for specials.
    var season: Int?
    /// The episode, or the first of several.
    var episode: Int?
    /// The width of the video in pixels.
    var width: Int?
    /// The height of the video in pixels.
    var height: Int?
    var duration: Rational?
    /// The modification time of the file, in nanoseconds since 1970; nil until it is scanned.
    var added: Int64?
    var hasArtwork = false

    init(_ item: LibraryItem, _ knowledge: Catalogue.Knowledge) {
        var tags = ItemTags()
        if case .known(let facts) = knowledge {
            kind = facts.kind
            tags = facts.tags
            duration = facts.duration
            added = facts.added
            hasArtwork = facts.hasArtwork
            let film = facts.streams.first { $0.kind == .video && !$0.isAttachedPicture }
            (width, height) = (film?.uprightSize.width, film?.uprightSize.height)
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

    /// The artist for lists.
    var groupArtist: String? { albumArtist ?? artist }

    /// The folders of a path, without a trailing folder of a single disc.
    static func albumFolders(_ path: String) -> ArraySlice<Substring> {
        let folders = path.split(separator: "/")
        guard folders.count > 1, let last = folders.last else { return folders[...] }
        var scanner = MarkScanner(last)
        let isDisc = scanner.take("disc") || scanner.take("disk") || scanner.take("cd")
        _ = scanner.take(" ")
        return isDisc && scanner.number(most: 2) != nil && scanner.isAtEnd ? folders.dropLast() : folders[...]
    }
}

/// The tags of a file.
struct ItemTags: Sendable, Equatable {
    var title: String?
    /// The performer, or otherwise the album artist.
    var artist: String?
    var albumArtist: String?
    var album: String?
    var genre: String?
    var series: String?
    /// The track number, from 1.
    var track: Int?
    /// The disc number, from 1.
    var disc: Int?
    var year: Int?
    var season: Int?
    var episode: Int?

    /// The maximum length of a tag in bytes.
    private static let most = 500

    init() {}

    /// Creates tags from libav's dictionary.
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

    /// A tag as one trimmed line, or nil if it is empty.
    static func line(_ tag: String?) -> String? {
        guard let tag else { return nil }
        let words = tag.split { $0.isWhitespace || $0.isNewline || $0 == "\0" }
        if words.isEmpty { return nil }
        let line = words.joined(separator: " ")
        return line.utf8.count <= most ? line : String(line.prefix(most / 4))
    }

    /// The leading number: `3` of `3/12`.
    private static func number(_ tag: String?, in range: ClosedRange<Int>) -> Int? {
        let digits = (tag ?? "").drop(while: \.isWhitespace).prefix { $0.isASCII && $0.isNumber }
        return Int(digits).flatMap { range.contains($0) ? $0 : nil }
    }

    /// The leading year of a date: `1999` of `1999-05-01`.
    private static func year(_ tag: String?) -> Int? {
        let digits = (tag ?? "").drop(while: \.isWhitespace).prefix { $0.isASCII && $0.isNumber }
        return digits.count == 4 ? number(String(digits), in: 1000...2999) : nil
    }
}
