import SegueFFmpeg
import SeguePackager

/// The handler of `/items/ID/artwork.jpg`.
struct ArtworkHandler: Sendable {
    let opener: ItemOpener
    let store: SegmentStore
    let work: any FileWork

    /// Responds with the image, resized if the query has a width.
    func respond(_ asked: ResourceRequest, _ item: LibraryItem) throws -> OriginResponse {
        let width = Artwork.width(for: try asked.query.integer("width", in: 1...10_000))
        let identity = try opener.version(of: item)
        let side = hasOwn(item) ? nil : SidecarImage.beside(item, in: opener.library)
        let key = SegmentStore.Key.artwork(identity, side: side, width: width)
        let made = try store.bytes(for: key, cancellation: asked.cancellation, isCostly: { width != nil }) { work in
            try identity.whileUnchanged {
                let wish = ArtworkWish(width: width, side: side?.path)
                return try self.work.artwork(of: item.filePath, wish, cancellation: work)
            }
        }
        let type = Artwork.contentType(made.bytes) ?? "application/octet-stream"
        return try .bytes(made.bytes, type, tag: made.tag, freshness: .revalidated)
            .conditional(asked.request).ranged(asked.request)
    }

    /// Returns true if the scan found an attached picture.
    private func hasOwn(_ item: LibraryItem) -> Bool {
        guard case .known(let facts) = opener.catalogue.knowledge(of: item) else { return false }
        return facts.streams.contains(where: \.isAttachedPicture)
    }
}
