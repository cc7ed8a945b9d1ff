import HTTPTypes
import SegueConcurrency
import SegueFFmpeg

/// The handler of `/`, the page for browsers.
struct PageHandler: Sendable {
    /// The default number of items on a page.
    private static let size = 200

    let finder: ItemFinder
    /// Nil if the server has no page.
    let renderer: (any PageRendering)?

    func respond(_ asked: ResourceRequest) throws(OriginFailure) -> OriginResponse {
        guard let renderer else { throw .notFound("this server has no page") }
        let query = try ItemListQuery(asked.query, limit: Self.size, wait: 0)
        let (items, total) = try finder.find(query, for: asked.request, Cancellation())
        let listing = ItemListing(
            items: items,
            total: total,
            libraryCount: finder.shelf.entries(for: asked.request.visitor).count,
            offset: query.offset,
            limit: query.limit,
            folder: query.folder,
            searchText: try asked.query.text("q") ?? ""
        )
        let visit = PageVisit(
            host: asked.request.headers[.hostField],
            language: try asked.query.text("language"),
            acceptedLanguages: asked.request.headers[.acceptLanguage],
            cookies: asked.request.headers[.cookie],
            visitorName: asked.request.visitor.name
        )
        let page = renderer.page(of: listing, for: visit)
        var response = OriginResponse.bytes(
            Array(page.html.utf8),
            "text/html; charset=utf-8",
            freshness: .revalidated
        )
        response.headers +=
            [
                .contentSecurityPolicy: page.securityPolicy, .xContentTypeOptions: "nosniff",
                .referrerPolicy: "same-origin", .vary: "Accept-Language, Cookie",
            ] as HTTPFields
        return try response.document(asked.request)
    }

    /// A file of the page, immutable under the address with its current version.
    func file(_ asked: ResourceRequest, _ name: String, version: String) throws(OriginFailure) -> OriginResponse {
        guard let file = renderer?.file(name, version: version) else {
            throw .noResource
        }
        var response = OriginResponse.bytes(
            file.bytes,
            file.contentType,
            freshness: file.isCurrent ? .immutable : .revalidated
        )
        response.headers[.xContentTypeOptions] = "nosniff"
        return try response.document(asked.request)
    }
}
