import SegueBase

/// The order in which items are listed.
enum ItemOrder: Sendable, Equatable {
    /// What items may be sorted by.
    enum Key: String, CaseIterable, Sendable {
        case title, added, year, duration
        /// When somebody last played it.
        case recent
    }

    /// As the library has them: by root and path.
    case library
    /// As they belong together: albums by disc and track, series by season and episode.
    case shelf
    /// By something of theirs; where that is not known they come last, and where it is the same, by title.
    case by(Key, isDescending: Bool)

    /// Reads `sort`: a key, with a dash before it for descending.
    ///
    /// - Throws: ``OriginFailure`` with 400 naming the parameter.
    init(_ query: Query, or ordinary: ItemOrder) throws(OriginFailure) {
        guard let text = try query.text("sort") else {
            self = ordinary
            return
        }
        let isDescending = text.hasPrefix("-")
        guard let key = Key(rawValue: String(text.drop { $0 == "-" })), text.filter({ $0 == "-" }).count < 2 else {
            let known = Key.allCases.map(\.rawValue).joined(separator: ", ")
            throw .badQuery("sort", "'\(text)' is not one of \(known), or one of them with - before it")
        }
        self = .by(key, isDescending: isDescending)
    }

    /// Items in this order.
    ///
    /// - Parameters:
    ///   - entries: The items, in the library's order.
    ///   - played: When somebody last played them, by their ids; any unit.
    /// - Returns: All of them.
    func sorted(_ entries: [ShelfEntry], played: [String: Int64] = [:]) -> [ShelfEntry] {
        switch self {
        case .library: entries
        case .shelf: entries.sorted(by: Self.belongsBefore)
        case .by(.title, let isDescending):
            entries.sorted { left, right in
                let (left, right) = isDescending ? (right, left) : (left, right)
                return Self.titleBefore(left, right)
            }
        case .by(let key, let isDescending):
            Self.sorted(entries, isDescending) { entry in
                switch key {
                case .title: nil
                case .added: entry.traits.added
                case .year: entry.traits.year.map(Int64.init)
                case .duration: entry.traits.duration.map { $0.rounded(scale: 1_000_000) }
                case .recent: played[entry.item.id]
                }
            }
        }
    }

    private static func sorted(
        _ entries: [ShelfEntry],
        _ isDescending: Bool,
        by value: (ShelfEntry) -> Int64?
    ) -> [ShelfEntry] {
        entries.map { ($0, value($0)) }.sorted { left, right in
            switch (left.1, right.1) {
            case (let one?, let other?) where one != other: isDescending ? one > other : one < other
            case (_?, nil): true
            case (nil, _?): false
            default: titleBefore(left.0, right.0)
            }
        }.map(\.0)
    }

    private static func titleBefore(_ left: ShelfEntry, _ right: ShelfEntry) -> Bool {
        left.titleOrder == right.titleOrder ? left.pathOrder < right.pathOrder : left.titleOrder < right.titleOrder
    }

    private static func belongsBefore(_ left: ShelfEntry, _ right: ShelfEntry) -> Bool {
        let names = (left.seriesKey ?? left.albumKey ?? "", right.seriesKey ?? right.albumKey ?? "")
        if names.0 != names.1 { return names.0 < names.1 }
        let (one, other) = (place(left.traits), place(right.traits))
        if one.0 != other.0 { return one.0 < other.0 }
        if one.1 != other.1 { return one.1 < other.1 }
        return left.pathOrder < right.pathOrder
    }

    /// Where an item belongs; specials and what has no number come last.
    private static func place(_ traits: ItemTraits) -> (Int, Int) {
        if traits.series != nil {
            return (traits.season.flatMap { $0 == 0 ? nil : $0 } ?? .max, traits.episode ?? .max)
        }
        return (traits.disc ?? 1, traits.track ?? .max)
    }
}
