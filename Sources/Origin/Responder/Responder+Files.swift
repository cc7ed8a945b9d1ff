import Media
import Notation
import Packager

extension Responder {
    /// The identity of an item's file as it is now.
    ///
    /// - Throws: ``OriginFailure`` with 404 when there is no such file below the root any more; ``PackagingError``.
    func identity(of item: LibraryItem) throws -> FileIdentity {
        guard library.isPresent(item) else { throw OriginFailure.notFound("\(item.path): the file is gone") }
        return try FileIdentity(ofFileAt: item.filePath)
    }

    /// The presentation of an item's file as it is now, for a device.
    ///
    /// - Throws: ``OriginFailure``, ``PackagingError``.
    func presentation(
        of item: LibraryItem,
        for device: DeviceProfile,
        in container: SegmentContainer?,
        _ cancellation: Cancellation
    ) throws -> Presentation {
        let identity = try identity(of: item)
        do {
            let presentation = try presentations.presentation(
                of: identity,
                for: device,
                in: container,
                cancellation: cancellation
            )
            catalogue.learn(presentation, of: item)
            return presentation
        } catch let error as PackagingError {
            // A file that cannot be read now is looked into another time.
            if ![.cancelled, .unreadable].contains(error.reason) { catalogue.learn(error, of: item, identity) }
            throw error
        }
    }

    /// `/items/ID/TAG/RENDITION.fmp4/init.mp4`.
    func initSegment(
        _ item: LibraryItem,
        _ tag: String,
        _ device: DeviceProfile,
        _ rendition: Rendition,
        _ cancellation: Cancellation
    ) throws -> OriginResponse {
        let made = try initBytes(try identity(of: item, tag: tag), device, rendition, cancellation)
        return .bytes(made.bytes, Self.contentType(rendition, .fmp4), tag: made.tag, freshness: .immutable)
    }

    /// The init segment of a rendition, held or made now.
    ///
    /// - Throws: ``PackagingError``, ``OriginFailure``.
    func initBytes(
        _ identity: FileIdentity,
        _ device: DeviceProfile,
        _ rendition: Rendition,
        _ cancellation: Cancellation
    ) throws -> SegmentStore.Made {
        try segments.bytes(
            for: .init(identity: identity, device: device, part: .initSegment(rendition)),
            cancellation: cancellation,
            isCostly: {
                presentations.held(identity, for: device, in: .fmp4)?
                    .isEncoded(rendition, cancellation: cancellation) == true
            }
        ) { work in
            try identity.whileUnchanged {
                try presentations.presentation(of: identity, for: device, in: .fmp4, cancellation: work)
                    .initSegment(rendition, cancellation: work)
            }
        }
    }

    /// `/items/ID/TAG/subtitles-STREAM.CONTAINER/NUMBER.vtt`.
    func subtitles(
        _ item: LibraryItem,
        _ tag: String,
        _ device: DeviceProfile,
        _ number: Int,
        _ stream: Int,
        _ container: SegmentContainer,
        _ cancellation: Cancellation
    ) throws -> OriginResponse {
        try webVTT(item, tag, device, container, cancellation) {
            try $0.subtitleSegment(number, of: stream, cancellation: cancellation)
        }
    }

    /// `/items/ID/TAG/side-TAG.CONTAINER/NUMBER.vtt`.
    func side(
        _ item: LibraryItem,
        _ tag: String,
        _ device: DeviceProfile,
        _ number: Int,
        _ side: String,
        _ container: SegmentContainer,
        _ cancellation: Cancellation
    ) throws -> OriginResponse {
        try webVTT(item, tag, device, container, cancellation) {
            try $0.subtitleSegment(number, ofFile: self.side(side, of: item).identity, cancellation: cancellation)
        }
    }

    private func webVTT(
        _ item: LibraryItem,
        _ tag: String,
        _ device: DeviceProfile,
        _ container: SegmentContainer,
        _ cancellation: Cancellation,
        _ make: (Presentation) throws -> [UInt8]
    ) throws -> OriginResponse {
        let identity = try identity(of: item, tag: tag)
        let presentation = try presentations.presentation(
            of: identity,
            for: device,
            in: container,
            cancellation: cancellation
        )
        return .bytes(try make(presentation), "text/vtt; charset=utf-8", freshness: .immutable)
    }

    /// The file of subtitles beside an item that has a tag.
    ///
    /// - Throws: ``OriginFailure`` with 404 where there is none, or it has changed.
    func side(_ tag: String, of item: LibraryItem) throws(OriginFailure) -> SideSubtitles {
        guard let found = SideSubtitles.beside(item, in: library).first(where: { $0.tag == tag }) else {
            throw .notFound("\(item.path): there are no such subtitles beside it, or they have changed")
        }
        return found
    }

    /// `/items/ID/original`.
    func original(_ item: LibraryItem) throws -> OriginResponse {
        let identity = try identity(of: item)
        return OriginResponse(
            status: 200,
            headers: [
                ("Content-Type", MediaTypes.contentType(fileExtension: item.fileExtension)),
                ("Content-Length", "\(identity.size)"),
                ("ETag", "\"\(identity.tag)\""),
                ("Last-Modified", HTTPDate.text(secondsSince1970: identity.modifiedNanoseconds / 1_000_000_000)),
                ("Cache-Control", OriginResponse.Freshness.revalidated.rawValue),
                ("Content-Disposition", "inline; filename*=UTF-8''\(PercentCoding.encode(item.fileName))"),
            ],
            body: .file(path: item.filePath, offset: 0, length: identity.size)
        )
    }

    /// `/items/ID/artwork.jpg`: the picture as the file holds it; `width` is a wish that need not be met.
    func artwork(_ item: LibraryItem, _ query: Query, _ cancellation: Cancellation) throws -> OriginResponse {
        _ = try query.integer("width", in: 1...10_000)
        let identity = try identity(of: item)
        let made = try segments.bytes(
            for: .init(identity: identity, part: .artwork),
            cancellation: cancellation
        ) { work in
            try identity.whileUnchanged { try Artwork.read(path: item.filePath, cancellation: work) }
        }
        let type = Artwork.contentType(made.bytes) ?? "application/octet-stream"
        return .bytes(made.bytes, type, tag: made.tag, freshness: .revalidated)
    }

    /// The identity of a file that must still be the one that a URL was made for.
    func identity(of item: LibraryItem, tag: String) throws -> FileIdentity {
        let identity = try identity(of: item)
        guard identity.tag == tag else {
            throw OriginFailure.notFound("\(item.path): the file has changed; ask for its playlist again")
        }
        return identity
    }

    /// The media type of a rendition's segments.
    static func contentType(_ rendition: Rendition, _ container: SegmentContainer) -> String {
        switch container {
        case .ts: "video/mp2t"
        case .fmp4: rendition.hasPicture ? "video/mp4" : "audio/mp4"
        }
    }
}
