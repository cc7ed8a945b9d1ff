import Dispatch
import Media
import Packager
import Timeline

extension Responder {
    /// The media type of JSON.
    private static let jsonType = "application/json; charset=utf-8"

    /// `/api/items`.
    func items(_ query: Query, _ cancellation: Cancellation) throws(OriginFailure) -> OriginResponse {
        let query = try ItemListQuery(query, limit: 1000, wait: 5)
        let (items, total) = find(query, cancellation)
        let passedOver = library.passedOver.map { ItemListDocument.PassedOver(path: $0.path, reason: $0.reason) }
        let document = ItemListDocument(
            items: items,
            total: total,
            offset: query.offset,
            pending: items.count { $0.state == .pending },
            passedOver: passedOver.isEmpty ? nil : passedOver
        )
        return .bytes(JSONText.encode(document), Self.jsonType, freshness: .revalidated)
    }

    /// `/api/items/ID`: every stream, and what would be done to it.
    ///
    /// The file is opened for it; where that fails the item says why.
    func details(
        _ item: LibraryItem,
        _ query: Query,
        _ cancellation: Cancellation
    ) throws(OriginFailure) -> OriginResponse {
        let device = try query.device(devices) ?? .any
        let looked = catalogue.look(into: item, cancellation: cancellation)
        var document = ItemDocument(item, looked)
        do {
            let presentation = try presentation(of: item, for: device, in: nil, cancellation)
            document = ItemDocument(item, .known(ItemFacts(presentation)))
            document.plan = PlanDocument(presentation.plan)
            document.renditions = RenditionDocument.all(
                of: try [presentation] + others(than: presentation, of: item, cancellation),
                item: item
            )
            document.applyRenditions()
            document.tracks = TrackDocument.all(of: presentation, base: "/items/\(item.id)")
        } catch {
            let failure = OriginFailure(error, item: item)
            if failure.status == 404 || failure.status == 503 { throw failure }
            document.error = .init(code: failure.code, message: failure.message)
            document.links.play = nil
            document.links.master = nil
            document.links.background = nil
        }
        return .bytes(JSONText.encode(document), Self.jsonType, freshness: .revalidated)
    }

    /// The item opened for the same device in its other containers.
    private func others(
        than presentation: Presentation,
        of item: LibraryItem,
        _ cancellation: Cancellation
    ) throws -> [Presentation] {
        try presentation.device.containers.filter { !presentation.containers.contains($0) }.map {
            try self.presentation(of: item, for: presentation.device, in: $0, cancellation)
        }
    }

    /// The items that are asked for, looked into as far as the query's patience goes.
    func find(_ query: ItemListQuery, _ cancellation: Cancellation) -> (items: [ItemDocument], total: Int) {
        let matching = library.items.filter { query.matches($0, catalogue.knowledge(of: $0)) }
        let shown = matching.dropFirst(query.offset).prefix(query.limit)
        if query.wait > 0 { look(into: shown, for: .seconds(query.wait), cancellation) }
        return (shown.map { ItemDocument($0, catalogue.knowledge(of: $0)) }, matching.count)
    }

    private func look(into items: ArraySlice<LibraryItem>, for time: Duration, _ cancellation: Cancellation) {
        let limited = Cancellation(deadline: .now + time)
        let registration = cancellation.whenCancelled { limited.cancel() }
        defer { cancellation.forget(registration) }
        // A deadline wakes nobody who waits for another's look.
        let end = DispatchWorkItem { limited.cancel() }
        DispatchQueue.global().asyncAfter(deadline: .now() + time.seconds, execute: end)
        defer { end.cancel() }
        // From the end, as somebody else may be looking from the beginning; so the two meet.
        for item in items.reversed() where !limited.isCancelled {
            catalogue.look(into: item, cancellation: limited)
        }
    }
}

extension ItemDocument {
    /// Notes with each stream what becomes of it, and takes back links to renditions that cannot be had.
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
