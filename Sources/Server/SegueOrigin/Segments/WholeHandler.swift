import HTTPTypes
import SegueConcurrency
import SegueFFmpeg
import SeguePackager

/// The handler of `/items/ID/TAG/RENDITION.CONTAINER/whole.…`.
struct WholeHandler: Sendable {
    let maker: SegmentMaker
    let layouts: LayoutFinder

    /// Responds with all segments of a rendition, one after another.
    ///
    /// A range within one or two pieces is made before the head is sent; more is made while it is sent.
    func respond(_ asked: ResourceRequest, _ rendition: DeliveredRendition, of item: LibraryItem) throws
        -> OriginResponse
    {
        let layout = try layouts.layout(of: rendition, item, asked.cancellation)
        let key = SegmentStore.Key.layout(rendition)
        let tag = ContentTag.of(Array(key.name.utf8) + layout.encoded)
        let body = body(rendition, layout, tag: tag)
        let response = try OriginResponse(
            status: 200,
            headers: [
                .contentType: rendition.contentType, .contentLength: "\(body.length)",
                .eTag: tag,
                .cacheControl: OriginResponse.Freshness.immutable.rawValue,
            ],
            body: .made(body, 0..<body.length)
        ).conditional(asked.request).ranged(asked.request)
        return asked.request.method == "HEAD" ? response : try response.withFewPiecesMade(asked.cancellation)
    }

    private func body(_ rendition: DeliveredRendition, _ layout: WholeLayout, tag: String) -> PiecewiseBody {
        let first = layout.initSize > 0 ? 1 : 0
        let sizes = (first > 0 ? [layout.initSize] : []) + layout.sizes
        return PiecewiseBody(name: tag, sizes: sizes) { [maker] piece, cancellation in
            let identity = rendition.identity
            guard try identity.isCurrent() else { throw PiecewiseBody.Changed() }
            if piece < first { return try maker.initSegment(of: rendition, cancellation) }
            let segment = DeliveredSegment(layout.numbers[piece - first], of: rendition)
            return try maker.segment(segment, cancellation)
        }
    }
}

extension OriginResponse {
    /// The response, with its body's pieces made if there are one or two.
    fileprivate func withFewPiecesMade(_ cancellation: Cancellation) throws -> OriginResponse {
        guard case .made(let body, let range) = body, body.pieces(in: range).count <= 2 else { return self }
        let pieces = try body.pieces(in: range).map { piece -> Body in
            let found = RefetchableBytes(try body.kept(piece, cancellation: cancellation)) {
                try body.kept(piece, cancellation: $0)
            }
            return .found(found, body.range(inPiece: piece, of: range))
        }
        var response = self
        response.body = pieces.count == 1 ? pieces[0] : .pieces(pieces)
        return response
    }
}
