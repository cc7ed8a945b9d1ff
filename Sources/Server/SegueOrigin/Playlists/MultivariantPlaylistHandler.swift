import SeguePackager
import SeguePlaylists

/// The handler of `/items/ID/master.m3u8`.
struct MultivariantPlaylistHandler: Sendable {
    let opener: ItemOpener

    func respond(_ asked: ResourceRequest, _ item: LibraryItem) throws -> OriginResponse {
        let query = try PlaylistQuery(asked, opener.devices)
        guard Rendition.principal.contains(query.rendition) else {
            throw OriginFailure.badQuery(
                "rendition",
                "a multivariant playlist contains all renditions; request index.m3u8 for a single one"
            )
        }
        let presentation = try opener.presentation(of: item, for: query.device, in: query.container, asked.cancellation)
        _ = try query.start(in: presentation.plan)
        let rendition = try query.rendition(of: presentation)
        let builder = MultivariantBuilder(
            presentation: presentation,
            rendition: rendition,
            query: query,
            container: query.container ?? presentation.preferredContainer(for: rendition),
            sides: SideSubtitles.beside(item, in: opener.library),
            cancellation: asked.cancellation
        )
        return try .playlist(builder.playlist().text, query).document(asked.request)
    }
}
