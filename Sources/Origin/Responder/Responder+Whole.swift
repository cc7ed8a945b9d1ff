import Media
import Packager
import Timeline

extension Responder {
    /// The longest title whose pictures are encoded only to know how large its segments are.
    private static let longestEncodedPicture = Rational(60)
    /// The longest title whose sound is.
    private static let longestEncodedSound = Rational(1200)

    /// `/items/ID/TAG/RENDITION.CONTAINER/whole.…`: all segments of a rendition, one after another.
    ///
    /// A part that lies in one or two pieces is made before the head is sent; more is made while it is sent.
    func whole(
        _ request: OriginRequest,
        _ item: LibraryItem,
        _ tag: String,
        _ device: DeviceProfile,
        _ rendition: Rendition,
        _ container: SegmentContainer,
        _ cancellation: Cancellation
    ) throws -> OriginResponse {
        let identity = try identity(of: item, tag: tag)
        let key = SegmentStore.Key(identity: identity, device: device, part: .layout(rendition, container))
        let layout = try layout(key, item, cancellation)
        let hasInit = layout.initSize > 0
        let body = PiecewiseBody(sizes: (hasInit ? [layout.initSize] : []) + layout.sizes) { piece, cancellation in
            guard try FileIdentity(ofFileAt: item.filePath) == identity else { throw PiecewiseBody.Changed() }
            if hasInit, piece == 0 { return try self.initBytes(identity, device, rendition, cancellation).bytes }
            let number = layout.numbers[piece - (hasInit ? 1 : 0)]
            let part = SegmentStore.Key(
                identity: identity,
                device: device,
                part: .segment(number, rendition, container)
            )
            return try self.segment(part, cancellation) { _ in }.bytes
        }
        var response = OriginResponse(
            status: 200,
            headers: [
                ("Content-Type", Self.contentType(rendition, container)), ("Content-Length", "\(body.length)"),
                ("ETag", ContentTag.of(Array(key.name.utf8) + layout.encoded)),
                ("Cache-Control", OriginResponse.Freshness.immutable.rawValue),
            ],
            body: .made(body, 0..<body.length)
        )
        response = try response.conditional(request).ranged(request)
        if request.method != "HEAD", case .made(let body, let range) = response.body,
            body.pieces(in: range).count <= 2
        {
            let pieces = try body.pieces(in: range).map { piece -> OriginResponse.Body in
                let found = FoundBytes(try body.bytes(ofPiece: piece, cancellation: cancellation)) {
                    try body.bytes(ofPiece: piece, cancellation: $0)
                }
                return .found(found, body.range(inPiece: piece, of: range))
            }
            response.body = pieces.count == 1 ? pieces[0] : .pieces(pieces)
        }
        return response
    }

    /// Where the pieces of a rendition lie; found by making them where nobody has before.
    ///
    /// - Parameters:
    ///   - key: The layout's key.
    ///   - item: The item.
    ///   - cancellation: The caller's own.
    /// - Returns: The layout.
    /// - Throws: ``PackagingError``, or ``OriginFailure`` where that would mean to encode for too long.
    func layout(_ key: SegmentStore.Key, _ item: LibraryItem, _ cancellation: Cancellation) throws -> WholeLayout {
        guard case .layout(let rendition, let container) = key.part else {
            preconditionFailure("the key is not a layout's")
        }
        let made = try segments.bytes(for: key, cancellation: cancellation, isCostly: { true }) { work in
            let presentation = try presentations.presentation(
                of: key.identity,
                for: key.device,
                in: container,
                cancellation: work
            )
            try Self.check(presentation, rendition, item, work)
            var initSize = 0
            if container == .fmp4 {
                initSize = try initBytes(key.identity, key.device, rendition, work).bytes.count
            }
            let numbers =
                rendition.picture == .keyframes
                ? try presentation.keyframes().map(\.segment)
                : Array(0..<(try presentation.extent(of: rendition, in: container, cancellation: work).segmentCount))
            let isEncoded = presentation.isEncoded(rendition, cancellation: work)
            let sizes = try numbers.map { number -> Int64 in
                // What was encoded is kept as long as there is room; what is copied is soon made again.
                guard isEncoded else {
                    return Int64(
                        try presentation.segment(number, of: rendition, in: container, cancellation: work).count
                    )
                }
                let part = SegmentStore.Key(
                    identity: key.identity,
                    device: key.device,
                    part: .segment(number, rendition, container)
                )
                return Int64(try segment(part, work) { _ in }.bytes.count)
            }
            return WholeLayout(numbers: numbers, initSize: Int64(initSize), sizes: sizes).encoded
        }
        return WholeLayout(encoded: made.bytes)
    }

    /// Makes sure that the sizes of a rendition's segments can be found in a reasonable time.
    private static func check(
        _ presentation: Presentation,
        _ rendition: Rendition,
        _ item: LibraryItem,
        _ cancellation: Cancellation
    ) throws {
        guard presentation.isEncoded(rendition, cancellation: cancellation) else { return }
        let isPicture = presentation.pictureEncoder(of: rendition) != nil
        let longest = isPicture ? longestEncodedPicture : longestEncodedSound
        guard presentation.plan.duration > longest else { return }
        let what = isPicture ? "picture" : "sound"
        throw OriginFailure.unservable(
            "byteRangesUnknown",
            "\(item.path): its \(what) is encoded while it is played, so that nobody knows beforehand how large its "
                + "segments are; ask without byterange=1, or for a device that takes the \(what) as it is"
        )
    }
}
