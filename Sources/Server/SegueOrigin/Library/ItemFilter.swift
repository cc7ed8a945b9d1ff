import Foundation

/// A filter of the library's items.
struct ItemFilter: Sendable {
    enum Kind: String, CaseIterable, Sendable {
        case movie
        /// With or without cover art.
        case music
        case musicWithArtwork
    }

    /// The words that title, artist, album, series, or path must contain; all of them.
    var words: [String] = []
    /// The folder of the items, subfolders included; nil for all.
    var folder: String?
    var kind: Kind?
    /// The performer or album artist; folded, like the next three.
    var artist: String?
    var album: String?
    var series: String?
    var genre: String?
    var season: Int?

    /// Matches all items.
    init() {}

    /// Parses a query.
    ///
    /// - Throws: ``OriginFailure`` with 400 that names the parameter.
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

    /// The filter reduced to folder and kind.
    var scope: ItemFilter {
        var scope = ItemFilter()
        (scope.folder, scope.kind) = (folder, kind)
        return scope
    }

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
    /// Returns true if the text contains another one, which is not empty, byte for byte.
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
