import Media

/// Answers for the page for browsers: `/`.
struct PageHandler: Sendable {
    /// How many items a page shows unless it is told.
    private static let size = 200

    let finder: ItemFinder
    /// Makes the page; nil where there is none.
    let renderer: (any PageRendering)?

    /// The page of the items that the query asks for.
    func answer(_ asked: ResourceRequest) throws(OriginFailure) -> OriginResponse {
        guard let renderer else { throw .notFound("this server has no page") }
        let query = try ItemListQuery(asked.query, limit: Self.size, wait: 0)
        let (items, total) = finder.find(query, Cancellation())
        let listing = ItemListing(
            items: items,
            total: total,
            libraryCount: finder.library.items.count,
            offset: query.offset,
            limit: query.limit,
            folder: query.folder,
            searchText: try asked.query.text("q") ?? ""
        )
        let page = renderer.page(of: listing, host: asked.request.header("Host"))
        var response = OriginResponse.bytes(
            Array(page.html.utf8),
            "text/html; charset=utf-8",
            freshness: .revalidated
        )
        response.headers += [
            ("Content-Security-Policy", page.securityPolicy), ("X-Content-Type-Options", "nosniff"),
            ("Referrer-Policy", "no-referrer"),
        ]
        return try response.document(asked.request)
    }
}
