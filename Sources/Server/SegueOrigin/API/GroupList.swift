import SegueBase

/// By what items may be grouped.
enum GroupKind: String, CaseIterable, Sendable, Encodable {
    case folder, series, season, artist, album, genre
}

/// Items that belong together, as `/api/groups` shows them.
struct GroupDocument: Encodable, Sendable, Equatable {
    var by: GroupKind
    /// What they have in common; of a season its number.
    var name: String
    /// What it is part of: a season's series, an album's artist, the folder above.
    var subtitle: String?
    var count: Int
    /// How long all of them take, in seconds, as far as that is known.
    var duration: Double
    /// The year in which the first came out.
    var year: Int?
    /// A picture, relative to the server's address.
    var artwork: String?
    /// The query with which `/api/items` lists them in their order.
    var query: String
}

/// Groups as `/api/groups` shows them.
struct GroupListDocument: Encodable {
    var groups: [GroupDocument]
    /// How many groups there are, those that are not shown included.
    var total: Int
    var offset: Int
    /// How many of the items have not been looked into, which may be in other groups then.
    var pending: Int
}

/// Answers for items that belong together: `/api/groups`.
struct GroupListHandler: Sendable {
    let shelf: Shelf

    /// The groups that the query asks for.
    func answer(_ asked: ResourceRequest) throws(OriginFailure) -> OriginResponse {
        guard let by = try asked.query.choice("by", of: GroupKind.self) else {
            throw .badQuery("by", "missing; name one of \(GroupKind.allCases.map(\.rawValue).joined(separator: ", "))")
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
