/// The handler of `/api/items`.
struct ItemListHandler: Sendable {
    let finder: ItemFinder
    let resume: ResumeHandler

    func respond(_ asked: ResourceRequest) throws(OriginFailure) -> OriginResponse {
        let query = try ItemListQuery(asked.query, limit: 1000, wait: 5)
        let (items, total) = try finder.find(
            query,
            for: asked.request,
            played: { () throws(OriginFailure) in try resume.played(by: asked.request.visitor) },
            asked.cancellation
        )
        let passedOver = finder.library.passedOver.filter { asked.request.visitor.sees(path: $0.path) }.map {
            ItemListDocument.PassedOver(path: $0.path, reason: $0.reason)
        }
        let document = ItemListDocument(
            items: items,
            total: total,
            offset: query.offset,
            pending: items.count { $0.state == .pending },
            passedOver: passedOver.isEmpty ? nil : passedOver
        )
        return try OriginResponse.json(document).document(asked.request)
    }
}

extension OriginResponse {
    /// A 200 with JSON that caches revalidate.
    static func json(_ value: some Encodable) -> OriginResponse {
        .bytes(JSONText.encode(value), "application/json; charset=utf-8", freshness: .revalidated)
    }
}
