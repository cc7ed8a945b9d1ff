import SegueBase

/// The grouping of items.
enum GroupKind: String, CaseIterable, Sendable, Encodable {
    case folder, series, season, artist, album, genre
}

/// A group of items in `/api/groups`.
struct GroupDocument: Encodable, Sendable, Equatable {
    var by: GroupKind
    /// The name; for a season, its number.
    var name: String
    /// The parent: a season's series, an album's artist, or the folder above.
    var subtitle: String?
    var count: Int
    /// The total of the known durations in seconds.
    var duration: Double
    /// The earliest release year.
    var year: Int?
    /// The URL of an image, relative to the server's address.
    var artwork: String?
    /// The query for `/api/items` that lists the group's items in order.
    var query: String
}

/// The response of `/api/groups`.
struct GroupListDocument: Encodable {
    var groups: [GroupDocument]
    /// The total number of groups, before paging.
    var total: Int
    var offset: Int
    /// The number of items that are not scanned yet and may belong to other groups.
    var pending: Int
}

/// The handler of `/api/groups`.
struct GroupListHandler: Sendable {
    let shelf: Shelf

    func respond(_ asked: ResourceRequest) throws(OriginFailure) -> OriginResponse {
        guard let by = try asked.query.choice("by", of: GroupKind.self) else {
            throw .badQuery(
                "by",
                "missing; expected one of \(GroupKind.allCases.map(\.rawValue).joined(separator: ", "))"
            )
        }
        let filter = try ItemFilter(asked.query)
        let offset = try asked.query.integer("offset", in: 0...10_000_000) ?? 0
        let limit = try asked.query.integer("limit", in: 1...10_000) ?? 1000
        let scope = filter.scope
        let entries = shelf.entries(for: asked.request.visitor).filter(scope.matches)
        let groups = Grouping(by: by, filter).groups(of: entries)
        let document = GroupListDocument(
            groups: groups.dropFirst(offset).prefix(limit).map { $0.document(filter) },
            total: groups.count,
            offset: offset,
            pending: entries.count { $0.traits.added == nil }
        )
        return try OriginResponse.json(document).document(asked.request)
    }
}
