import Media

extension Responder {
    /// How many items a page shows unless it is told.
    private static let pageSize = 200

    /// `/`: the web page.
    func page(_ query: Query, _ request: OriginRequest) throws(OriginFailure) -> OriginResponse {
        guard let renderer else { throw .notFound("this server has no page") }
        let list = try ItemListQuery(query, limit: Self.pageSize, wait: 0)
        let (items, total) = find(list, Cancellation())
        let listing = ItemListing(
            items: items,
            total: total,
            libraryCount: library.items.count,
            offset: list.offset,
            limit: list.limit,
            folder: list.folder,
            searchText: try query.text("q") ?? ""
        )
        let page = renderer.page(of: listing, host: request.header("Host"))
        var response = OriginResponse.bytes(
            Array(page.html.utf8),
            "text/html; charset=utf-8",
            freshness: .revalidated
        )
        response.headers += [
            ("Content-Security-Policy", page.securityPolicy), ("X-Content-Type-Options", "nosniff"),
            ("Referrer-Policy", "no-referrer"),
        ]
        return try response.document(request)
    }
}
