import Foundation

/// Which items of the library are asked for.
struct ItemFilter: Sendable {
    /// What kinds of items may be asked for.
    enum Kind: String, CaseIterable, Sendable {
        case movie
        /// With cover art or without.
        case music
        case musicWithArtwork
    }

    /// The words that must occur in title, artist, album, series or path; all of them.
    var words: [String] = []
    /// The folder that items lie in or below; nil for all.
    var folder: String?
    /// What they are; nil for anything.
    var kind: Kind?
    /// Who plays them, or whose album they are on; folded, as are the next three.
    var artist: String?
    /// The album that they are on.
    var album: String?
    /// The series of which they are.
    var series: String?
    /// One of their genres.
    var genre: String?
    /// The season of which they are.
    var season: Int?

    /// All items.
    init() {}

    /// Reads a query.
    ///
    /// - Throws: ``OriginFailure`` with 400 naming the parameter.
    init(_ query: Query) throws(OriginFailure) {
        words = SortKey.folded(try query.text("q") ?? "").split(whereSeparator: \.isWhitespace).map(String.init)
        folder = try query.text("folder").map { String($0.drop { $0 == "/" }) }
        while folder?.last == "/" { folder?.removeLast() }
        kind = try query.choice("kind", of: Kind.self)
        artist = try query.text("artist").map(SortKey.folded)
        album = try query.text("album").map(SortKey.folded)
        series = try query.text("series").map(SortKey.folded)
        genre = try query.text("genre").map(SortKey.folded)
        season = try query.integer("season", in: 0...9999)
    }

    /// The same without what picks out some of the items of a place and a kind.
    var scope: ItemFilter {
        var scope = ItemFilter()
        (scope.folder, scope.kind) = (folder, kind)
        return scope
    }

    /// Whether an item is asked for.
    func matches(_ entry: ShelfEntry) -> Bool {
        if let folder, !entry.lies(in: folder) { return false }
        switch kind {
        case nil: break
        case .movie: if entry.traits.kind != .movie { return false }
        case .music: if entry.traits.kind == .movie { return false }
        case .musicWithArtwork: if entry.traits.kind != .musicWithArtwork { return false }
        }
        if let artist, entry.artistKey != artist, entry.albumArtistKey != artist { return false }
        if let album, entry.albumKey != album { return false }
        if let series, entry.seriesKey != series { return false }
        if let season, entry.traits.season != season { return false }
        if let genre, !entry.genreKeys.contains(genre) { return false }
        return words.allSatisfy { entry.text.holds($0) }
    }
}

extension String {
    /// Whether another text, which is not empty, stands in this one, byte for byte.
    fileprivate func holds(_ other: String) -> Bool {
        var (text, other) = (self, other)
        return text.withUTF8 { text in
            other.withUTF8 { other in
                guard let first = other.first, let base = text.baseAddress else { return other.isEmpty }
                var place = 0
                while text.count - place >= other.count,
                    let found = memchr(base + place, Int32(first), text.count - place - other.count + 1)
                {
                    if memcmp(found, other.baseAddress!, other.count) == 0 { return true }
                    place = UnsafeRawPointer(found) - UnsafeRawPointer(base) + 1
                }
                return false
            }
        }
    }
}
