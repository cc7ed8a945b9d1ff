import Media

extension Responder {
    /// `/`: the web page.
    func page(_ query: Query, _ request: OriginRequest) throws(OriginFailure) -> OriginResponse {
        let list = try ItemListQuery(query, limit: Page.size, wait: 0)
        let (items, total) = find(list, Cancellation())
        let page = Page(
            items: items,
            total: total,
            libraryCount: library.items.count,
            query: list,
            searchText: try query.text("q") ?? "",
            address: PageAddress.best(host: request.header("Host"), localAddresses: localAddresses)
        )
        var response = OriginResponse.bytes(
            Array(page.html.utf8),
            "text/html; charset=utf-8",
            freshness: .revalidated
        )
        response.headers += [
            ("Content-Security-Policy", Page.securityPolicy), ("X-Content-Type-Options", "nosniff"),
            ("Referrer-Policy", "no-referrer"),
        ]
        return try response.document(request)
    }
}
