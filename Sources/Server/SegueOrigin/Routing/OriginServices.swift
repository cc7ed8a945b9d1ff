/// The objects that handlers share.
struct OriginServices: Sendable {
    let library: Library
    let opener: ItemOpener
    let maker: SegmentMaker
    let ahead: SegmentPrefetcher
    let layouts: LayoutFinder
    let shelf: Shelf
    let finder: ItemFinder
    let page: PageHandler
    let resume: ResumeHandler
    let stations: RadioStations
    let channel: ChannelHandler
    /// Nil if the server is not announced as a media server.
    let mediaServer: MediaServerHandler?
    /// Nil if the server has no address for other devices.
    let addresses: (any AddressSharing)?
    let metrics: Metrics
    let work: any FileWork

    /// Responds about an item that the visitor may see.
    ///
    /// - Throws: ``OriginFailure``; every error of `respond` becomes one that names the item.
    func withItem(
        _ id: String,
        _ asked: ResourceRequest,
        respond: (LibraryItem) throws -> OriginResponse
    ) throws(OriginFailure) -> OriginResponse {
        guard let item = library.item(id), asked.request.visitor.sees(item) else {
            throw .notFound("there is no item '\(id)'")
        }
        do {
            return try respond(item)
        } catch {
            throw OriginFailure(error, item: item)
        }
    }
}
