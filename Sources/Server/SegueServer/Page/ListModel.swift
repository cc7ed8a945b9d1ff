import SegueBase
import SegueOrigin

/// The template's values for the list, which works without JavaScript.
struct ListModel {
    /// The template's values.
    let values: [String: Any]

    /// Creates the values of a list in a language.
    ///
    /// - Parameters:
    ///   - listing: The items and the query.
    ///   - words: The words of the language.
    ///   - language: The language in the address, which the links keep; nil if there is none.
    init(_ listing: ItemListing, _ words: PageWords, language: String?) {
        let (items, end) = (listing.items, listing.offset + listing.items.count)
        var values: [String: Any] = [
            "q": listing.searchText, "items": items.map { Self.row($0, words) },
            "hasPages": listing.total > items.count,
            "searchLabel": words.text("searchLabel", count: listing.libraryCount),
            "range": words.text(
                "pagesRange",
                ["first": "\(listing.offset + 1)", "last": "\(end)", "total": "\(listing.total)"]
            ),
        ]
        if let folder = listing.folder, !folder.isEmpty { values["folder"] = folder }
        if items.isEmpty { values["empty"] = words.text(listing.libraryCount == 0 ? "listNone" : "listNoMatch") }
        let link = { (offset: Int) in
            var parts = ["offset=\(offset)"]
            if !listing.searchText.isEmpty { parts.append("q=\(PercentCoding.encode(listing.searchText))") }
            if let folder = listing.folder, !folder.isEmpty { parts.append("folder=\(PercentCoding.encode(folder))") }
            if let language { parts.append("language=\(PercentCoding.encode(language))") }
            return "?" + parts.joined(separator: "&")
        }
        if listing.offset > 0 { values["previous"] = link(max(0, listing.offset - listing.limit)) }
        if end < listing.total, !items.isEmpty { values["next"] = link(listing.offset + listing.limit) }
        self.values = values
    }

    private static func row(_ item: ItemDocument, _ words: PageWords) -> [String: Any] {
        let base = "items/\(item.id)"
        let tags = [item.artist, item.album].compactMap(\.self)
        var row: [String: Any] = [
            "id": item.id, "title": item.title, "isFilm": item.kind == .movie,
            "subtitle": tags.isEmpty ? item.path : tags.joined(separator: " · "),
            "chips": PageChips.of(item, words),
            "time": item.duration.map(PageChips.clock) ?? (item.state == .pending ? "…" : ""),
            "failed": item.state == .failed,
            "href": item.links.play != nil ? "\(base)/master.m3u8" : "\(base)/original",
        ]
        // An empty text counts as present in a template.
        if item.links.artwork != nil { row["artwork"] = "\(base)/artwork.jpg?width=160" }
        row["problem"] = item.error?.message
        return row
    }
}
