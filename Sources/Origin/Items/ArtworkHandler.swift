/// Answers for cover art: `/items/ID/artwork.jpg`.
struct ArtworkHandler: Sendable {
    let opener: ItemOpener
    let store: SegmentStore

    /// The picture as the file holds it; `width` is a wish that need not be met.
    func answer(_ asked: ResourceRequest, _ item: LibraryItem) throws -> OriginResponse {
        _ = try asked.query.integer("width", in: 1...10_000)
        let identity = try opener.identity(of: item)
        let made = try store.bytes(for: .artwork(identity), cancellation: asked.cancellation) { work in
            try identity.whileUnchanged { try Artwork.read(path: item.filePath, cancellation: work) }
        }
        let type = Artwork.contentType(made.bytes) ?? "application/octet-stream"
        return try .bytes(made.bytes, type, tag: made.tag, freshness: .revalidated)
            .conditional(asked.request).ranged(asked.request)
    }
}
