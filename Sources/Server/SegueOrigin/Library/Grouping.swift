import SegueBase

/// Groups of items.
struct Grouping {
    let by: GroupKind
    /// The filter; a group is included if one of its items matches.
    let filter: ItemFilter

    init(by: GroupKind, _ filter: ItemFilter) { (self.by, self.filter) = (by, filter) }

    struct Group {
        let by: GroupKind
        /// The name as its first item spells it.
        let name: String
        /// The query terms that select the group.
        let terms: [(name: String, value: String)]
        /// The sort key.
        let order: String
        fileprivate(set) var entries: [ShelfEntry] = []
        /// True if one of its items matches.
        fileprivate(set) var isChosen = false
        /// True if an item belongs to this group alone.
        fileprivate(set) var isOwn = false
    }

    /// The group of an item.
    private struct Membership {
        var key: String
        var name: String
        var terms: [(name: String, value: String)]
        /// True if the item belongs to this group alone.
        var isOwn = true
        /// Computes the sort key, once for all items of the group.
        var order: () -> String
    }

    /// The groups of items in order.
    func groups(of entries: [ShelfEntry]) -> [Group] {
        var numbers: [String: Int] = [:]
        var groups: [Group] = []
        for entry in entries {
            let matches = filter.matches(entry)
            for member in memberships(of: entry) {
                let number = numbers[member.key] ?? groups.count
                if number == groups.count {
                    numbers[member.key] = number
                    groups.append(Group(by: by, name: member.name, terms: member.terms, order: member.order()))
                }
                groups[number].entries.append(entry)
                if matches { groups[number].isChosen = true }
                if member.isOwn { groups[number].isOwn = true }
            }
        }
        return groups.filter { $0.isChosen && $0.isOwn }.sorted {
            $0.order == $1.order ? $0.entries[0].pathOrder < $1.entries[0].pathOrder : $0.order < $1.order
        }
    }

    private func memberships(of entry: ShelfEntry) -> [Membership] {
        let traits = entry.traits
        switch by {
        case .folder: return folder(of: entry).map { [$0] } ?? []
        case .series:
            guard let series = traits.series, let key = entry.seriesKey else { return [] }
            return [Membership(key: key, name: series, terms: [("series", series)]) { SortKey.order(series) }]
        case .season:
            guard let series = traits.series, let key = entry.seriesKey, let season = traits.season else { return [] }
            return [
                Membership(
                    key: "\(key)\n\(season)",
                    name: "\(season)",
                    terms: [("series", series), ("season", "\(season)")]
                ) { SortKey.order(series) + "\n" + SortKey.path(season == 0 ? "99999" : "\(season)") }
            ]
        case .artist: return artists(of: entry)
        case .album: return album(of: entry).map { [$0] } ?? []
        case .genre:
            return zip(ShelfEntry.genres(traits.genre), entry.genreKeys).map { genre, key in
                Membership(key: key, name: genre, terms: [("genre", genre)]) { SortKey.order(genre) }
            }
        }
    }

    /// The folder one level below the filter's folder.
    private func folder(of entry: ShelfEntry) -> Membership? {
        let above = filter.folder ?? ""
        guard entry.lies(in: above) else { return nil }
        let rest = entry.item.folder.utf8.dropFirst(above.isEmpty ? 0 : above.utf8.count + 1)
        let name = String(Substring(rest.prefix { $0 != UInt8(ascii: "/") }))
        if name.isEmpty { return nil }
        let path = above.isEmpty ? name : "\(above)/\(name)"
        return Membership(key: path, name: name, terms: [("folder", path)]) { SortKey.order(name) }
    }

    private func artists(of entry: ShelfEntry) -> [Membership] {
        let own = entry.groupArtistKey
        let both = [(entry.traits.albumArtist, entry.albumArtistKey), (entry.traits.artist, entry.artistKey)]
        var result: [Membership] = []
        for case (let name?, let key?) in both where !result.contains(where: { $0.key == key }) {
            result.append(
                Membership(key: key, name: name, terms: [("artist", name)], isOwn: key == own) { SortKey.order(name) }
            )
        }
        return result
    }

    /// Albums of the same name are one if they have the same artist or are in the same folder.
    private func album(of entry: ShelfEntry) -> Membership? {
        guard let album = entry.traits.album, let key = entry.albumKey, entry.traits.kind != .movie else { return nil }
        let place: (name: String, value: String)
        if let artist = entry.traits.albumArtist {
            place = ("artist", artist)
        } else {
            place = ("folder", entry.albumFolder)
        }
        let terms = [("album", album)] + (place.value.isEmpty ? [] : [place])
        return Membership(
            key: "\(key)\n\(place.name)\n\(place.name == "artist" ? entry.albumArtistKey ?? "" : place.value)",
            name: album,
            terms: terms
        ) { SortKey.order(album) }
    }
}

extension Grouping.Group {
    /// The JSON of the group for a request with this filter.
    func document(_ filter: ItemFilter) -> GroupDocument {
        let length = entries.reduce(Rational(0)) { $0 + ($1.traits.duration ?? Rational(0)) }
        let first = ItemOrder.shelf.sorted(entries.filter(\.traits.hasArtwork)).first
        var terms = terms
        if let kind = filter.kind { terms.append(("kind", kind.rawValue)) }
        if let folder = filter.folder, !folder.isEmpty, !terms.contains(where: { $0.name == "folder" }) {
            terms.append(("folder", folder))
        }
        return GroupDocument(
            by: by,
            name: name,
            subtitle: subtitle,
            count: entries.count,
            duration: ItemDocument.seconds(length),
            year: [.album, .series, .season].contains(by) ? entries.compactMap(\.traits.year).min() : nil,
            artwork: first.map { "items/\($0.item.id)/artwork.jpg" },
            query: terms.map { "\($0.name)=\(PercentCoding.encode($0.value))" }.joined(separator: "&")
        )
    }

    private var subtitle: String? {
        switch by {
        case .season: return entries[0].traits.series
        case .album:
            let artists = Set(entries.map(\.groupArtistKey))
            return artists.count == 1 ? entries[0].traits.groupArtist : nil
        case .folder:
            let above = (terms[0].value.split(separator: "/").dropLast()).joined(separator: "/")
            return above.isEmpty ? nil : above
        case .series, .artist, .genre: return nil
        }
    }
}
