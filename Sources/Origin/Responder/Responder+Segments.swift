import Media
import Packager

extension Responder {
    /// `/items/ID/TAG/RENDITION.CONTAINER/NUMBER.…`.
    func segment(
        _ request: OriginRequest,
        _ item: LibraryItem,
        _ tag: String,
        _ device: DeviceProfile,
        _ number: Int,
        _ rendition: Rendition,
        _ container: SegmentContainer,
        _ cancellation: Cancellation
    ) throws -> OriginResponse {
        let identity = try identity(of: item, tag: tag)
        let key = SegmentStore.Key(
            identity: identity,
            device: device,
            part: .segment(number, rendition, container)
        )
        let made = try ahead.demand(key) {
            if let presentation = presentations.held(identity, for: device, in: container) {
                lookAhead(from: key, presentation, request, cancellation)
            }
            return try segment(key, cancellation) { lookAhead(from: key, $0, request, cancellation) }
        }
        var response = OriginResponse.bytes(
            made.bytes,
            Self.contentType(rendition, container),
            tag: made.tag,
            freshness: .immutable
        )
        let found = FoundBytes(made.bytes) { [tag = made.tag] cancellation in
            let again = try self.segment(key, cancellation) { _ in }
            guard again.tag == tag else { throw PiecewiseBody.Changed() }
            return again.bytes
        }
        response.body = .found(found, 0..<made.bytes.count)
        let presentation = presentations.held(identity, for: device, in: container)
        if let encoder = presentation?.pictureEncoder(of: rendition) {
            response.headers.append(("Segue-Video-Encoder", encoder))
        }
        return response
    }

    /// A segment, held or made now.
    ///
    /// - Parameters:
    ///   - key: Which one.
    ///   - cancellation: The caller's own.
    ///   - isAhead: Whether it is made before anybody asks for it.
    ///   - begin: Called before it is made, with what it is made from.
    /// - Returns: Its bytes and their tag.
    /// - Throws: ``PackagingError``, ``OriginFailure``.
    func segment(
        _ key: SegmentStore.Key,
        _ cancellation: Cancellation,
        isAhead: Bool = false,
        begin: (Presentation) -> Void
    ) throws -> SegmentStore.Made {
        guard case .segment(let number, let rendition, let container) = key.part else {
            preconditionFailure("the key is not a segment's")
        }
        return try segments.bytes(
            for: key,
            cancellation: cancellation,
            isAhead: isAhead,
            isCostly: {
                presentations.held(key.identity, for: key.device, in: container)?
                    .isEncoded(rendition, cancellation: cancellation) == true
            }
        ) { work in
            try key.identity.whileUnchanged {
                let presentation = try presentations.presentation(
                    of: key.identity,
                    for: key.device,
                    in: container,
                    cancellation: work
                )
                begin(presentation)
                return try presentation.segment(number, of: rendition, in: container, cancellation: work)
            }
        }
    }

    /// Has the segments after one made that a client asks for, where that takes encoding.
    private func lookAhead(
        from key: SegmentStore.Key,
        _ presentation: Presentation,
        _ request: OriginRequest,
        _ cancellation: Cancellation
    ) {
        let all = presentation.plan.segments.indices
        guard ahead.count > 0, request.method == "GET",
            case .segment(let number, let rendition, let container) = key.part,
            all.contains(number), presentation.isEncoded(rendition, cancellation: cancellation)
        else { return }
        // What is dropped again before it is asked for would be made twice.
        let next = all.clamped(to: number + 1..<number + 1 + min(ahead.count, segments.room))
        let viewer = SegmentsAhead.Viewer(
            client: request.client.map { ObjectIdentifier($0) },
            file: key.identity.path,
            piece: "\(key.device.name) \(rendition.rawValue) \(container.rawValue)"
        )
        let keys = next.map {
            SegmentStore.Key(identity: key.identity, device: key.device, part: .segment($0, rendition, container))
        }
        ahead.expect(keys.filter { !segments.holds($0) }, for: viewer) { [self] key, cancellation in
            // What goes wrong is found again by whoever asks for it.
            _ = try? segment(key, cancellation, isAhead: true) { _ in }
        }
        if let client = request.client { ahead.follow(client) }
    }
}
