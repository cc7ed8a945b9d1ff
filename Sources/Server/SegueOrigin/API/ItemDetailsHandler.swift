import SegueBase
import SegueConcurrency
import SegueFFmpeg
import SeguePackager

/// The handler of `/api/items/ID`.
struct ItemDetailsHandler: Sendable {
    let opener: ItemOpener

    /// Responds with every stream and its treatment.
    ///
    /// Opens the file; on an error, the item carries the reason.
    func respond(_ asked: ResourceRequest, _ item: LibraryItem) throws(OriginFailure) -> OriginResponse {
        let device = try asked.query.device(opener.devices) ?? .any
        let looked = opener.catalogue.look(into: item, cancellation: asked.cancellation)
        let mount = asked.request.mount
        var document = ItemDocument(item, looked, below: mount)
        do {
            let presentation = try opener.presentation(of: item, for: device, in: nil, asked.cancellation)
            document = ItemDocument(item, opener.catalogue.knowledge(of: item), below: mount)
            document.plan = PlanDocument(presentation)
            document.renditions = RenditionDocument.all(
                of: try [presentation] + others(than: presentation, of: item, asked.cancellation),
                item: item
            )
            document.applyRenditions()
            document.chapters = ChapterDocument.all(
                presentation.source.chapters,
                duration: presentation.plan.duration.seconds
            )
            document.tracks = TrackDocument.all(of: presentation, base: "\(mount)/items/\(item.id)")
        } catch {
            let failure = OriginFailure(error, item: item)
            if failure.status == 404 || failure.status == 503 { throw failure }
            document.error = .init(code: failure.code, message: failure.message)
            document.links.play = nil
            document.links.master = nil
            document.links.background = nil
        }
        return try OriginResponse.json(document).document(asked.request)
    }

    /// The item, opened for the same device in its other containers.
    private func others(
        than presentation: any Presenting,
        of item: LibraryItem,
        _ cancellation: Cancellation
    ) throws -> [any Presenting] {
        try presentation.device.containers.filter { !presentation.containers.contains($0) }.map {
            try opener.presentation(of: item, for: presentation.device, in: $0, cancellation)
        }
    }
}

extension ItemDocument {
    /// Adds the treatment to each stream, and removes links to renditions that cannot be served.
    fileprivate mutating func applyRenditions() {
        guard let renditions else { return }
        for (name, containers) in renditions {
            let tracks =
                (containers.values.first { $0.isPreferred == true } ?? containers.values.first { $0.tracks != nil })?
                .tracks
            for index in streams.indices {
                let track = tracks?.first { $0.stream == streams[index].index }
                streams[index].treatments = streams[index].treatments ?? [:]
                streams[index].treatments?[name] = tracks == nil ? "unavailable" : track?.treatment ?? "left out"
            }
            guard tracks == nil else { continue }
            if name == Rendition.full.rawValue {
                links.play = nil
                links.master = nil
            } else {
                links.background = nil
            }
        }
    }
}
