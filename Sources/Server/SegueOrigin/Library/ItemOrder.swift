import SegueBase

/// The order of an item list.
enum ItemOrder: Sendable, Equatable {
    enum Key: String, CaseIterable, Sendable {
        case title, added, year, duration
        /// The time of the visitor's last playback.
        case recent
    }

    /// The library's order: by root and path.
    case library
    /// The natural order of groups: albums by disc and track, series by season and episode.
    case shelf
    /// By a trait, then by title; items without the trait come last.
    case by(Key, isDescending: Bool)

    /// Parses `sort`: a key, with a dash before it for descending order.
    ///
    /// - Throws: ``OriginFailure`` with 400 that names the parameter.
    init(_ query: Query, or ordinary: ItemOrder) throws(OriginFailure) {
        guard let text = try query.text("sort") else {
            self = ordinary
            return
        }
        let isDescending = text.hasPrefix("-")
        guard let key = Key(rawValue: String(text.drop { $0 == "-" })), text.filter({ $0 == "-" }).count < 2 else {
            let known = Key.allCases.map(\.rawValue).joined(separator: ", ")
            throw .badQuery("sort", "'\(text)' is not one of \(known), or one of them with a leading -")
        }
        self = .by(key, isDescending: isDescending)
    }

    /// Sorts items.
    ///
    /// - Parameters:
    ///   - entries: The items in the library's order.
    ///   - played: The visitor's last playback times by item id, in any unit.
    /// - Returns: All items.
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

    /// The position of an item; specials and items without a number come last.
    private static func place(_ traits: ItemTraits) -> (Int, Int) {
        if traits.series != nil {
            return (traits.season.flatMap { $0 == 0 ? nil : $0 } ?? .max, traits.episode ?? .max)
        }
        return (traits.disc ?? 1, traits.track ?? .max)
    }
}
