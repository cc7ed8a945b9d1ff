/// An item as lists find, sort and group it.
final class ShelfEntry: Sendable {
    /// The item.
    let item: LibraryItem
    /// What is known of it.
    let traits: ItemTraits
    /// Which knowledge that was; see ``Catalogue/version(of:)``.
    let version: UInt64
    /// What is searched: title, artist, album, series and path, folded, a line each.
    let text: String
    /// What brings titles into order.
    let titleOrder: String
    /// What brings paths into order.
    let pathOrder: String
    /// What is the same for names that people take for one.
    let (artistKey, albumArtistKey, albumKey, seriesKey): (String?, String?, String?, String?)
    /// The same for each of the genres.
    let genreKeys: [String]

    /// The folder of its album: its own, or the one above where that holds a single disc.
    let albumFolder: String

    /// An item with what is known of it.
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
        // Mostly it is the item's own folder, which is kept once.
        albumFolder = above == item.folder ? item.folder : above
        genreKeys = Self.genres(traits.genre).map(SortKey.folded)
    }

    /// The key of whom lists have it by.
    var groupArtistKey: String? { albumArtistKey ?? artistKey }

    /// The genres that a tag names.
    static func genres(_ tag: String?) -> [String] {
        (tag ?? "").split(separator: ";").compactMap { ItemTags.line(String($0)) }
    }

    /// Whether it lies in a folder or below.
    func lies(in folder: String) -> Bool {
        folder.isEmpty || item.folder == folder || item.folder.hasPrefix(folder + "/")
    }
}
