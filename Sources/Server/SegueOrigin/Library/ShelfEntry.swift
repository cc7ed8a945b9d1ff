/// An item with the keys by which lists search, sort, and group it.
final class ShelfEntry: Sendable {
    let item: LibraryItem
    let traits: ItemTraits
    /// The version of the traits (see ``Catalogue/version``).
    let version: UInt64
    /// The searched text: title, artist, album, series, and path, folded, one line each.
    let text: String
    /// The sort key of the title.
    let titleOrder: String
    /// The sort key of the path.
    let pathOrder: String
    /// Keys that are equal for spellings of the same name.
    let (artistKey, albumArtistKey, albumKey, seriesKey): (String?, String?, String?, String?)
    let genreKeys: [String]

    /// The folder of its album: its own, or the parent of a single disc's folder.
    let albumFolder: String

    init(_ item: LibraryItem, _ knowledge: Catalogue.Knowledge, version: UInt64) {
        let traits = ItemTraits(item, knowledge)
        (self.item, self.traits, self.version) = (item, traits, version)
        let lines = [
            traits.title, traits.artist, traits.albumArtist, traits.album, traits.series, item.path,
        ]
        text = SortKey.folded(lines.compactMap { $0 }.joined(separator: "\n"))
        titleOrder = SortKey.order(traits.title)
        pathOrder = SortKey.path(item.path)
        artistKey = traits.artist.map(SortKey.folded)
        albumArtistKey = traits.albumArtist.map(SortKey.folded)
        albumKey = traits.album.map(SortKey.folded)
        seriesKey = traits.series.map(SortKey.folded)
        let above = ItemTraits.albumFolders(item.folder).joined(separator: "/")
        // In most cases it is the item's own folder, whose string is shared.
        albumFolder = above == item.folder ? item.folder : above
        genreKeys = Self.genres(traits.genre).map(SortKey.folded)
    }

    /// The key of the artist for lists.
    var groupArtistKey: String? { albumArtistKey ?? artistKey }

    static func genres(_ tag: String?) -> [String] {
        (tag ?? "").split(separator: ";").compactMap { ItemTags.line(String($0)) }
    }

    /// Returns true if the item is in a folder or its subfolders.
    func lies(in folder: String) -> Bool {
        folder.isEmpty || item.folder == folder || item.folder.hasPrefix(folder + "/")
    }
}
