import HTTPTypes
import SegueFFmpeg
import SeguePackager

/// The handler of `/items/ID/TAG/RENDITION.CONTAINER/NUMBER.…`.
struct SegmentHandler: Sendable {
    let maker: SegmentMaker
    let ahead: SegmentPrefetcher

    /// Responds with the segment, and prefetches the next ones if they have to be encoded.
    func respond(_ asked: ResourceRequest, _ segment: DeliveredSegment) throws -> OriginResponse {
        let made = try ahead.demand(segment) {
            if let presentation = maker.held(segment.delivered) { lookAhead(asked, from: segment, presentation) }
            return try maker.segment(segment, asked.cancellation) { lookAhead(asked, from: segment, $0) }
        }
        var response = OriginResponse.found(
            made,
            segment.delivered.contentType,
            freshness: .immutable
        ) { [maker] in try maker.segment(segment, $0) }
        if let encoder = maker.held(segment.delivered)?.videoEncoder(of: segment.delivered.rendition) {
            response.headers[.segueVideoEncoder] = encoder
        }
        return try response.conditional(asked.request).ranged(asked.request)
    }

    /// Prefetches the segments after a requested one if they have to be encoded.
    private func lookAhead(_ asked: ResourceRequest, from segment: DeliveredSegment, _ presentation: any Presenting) {
        let all = presentation.listedSegments.indices
        guard ahead.count > 0, asked.request.method == "GET", all.contains(segment.number),
            presentation.isEncoded(segment.delivered.rendition, cancellation: asked.cancellation)
        else { return }
        // A segment that is evicted before its request would be made twice.
        let last = segment.number + 1 + min(ahead.count, maker.store.room)
        let next = all.clamped(to: segment.number + 1..<last).map { DeliveredSegment($0, of: segment.delivered) }
        let viewer = SegmentPrefetcher.Viewer(asked.request.client, of: segment.delivered)
        ahead.expect(next.filter { !maker.store.holds(.segment($0)) }, for: viewer) { [maker] segment, cancellation in
            // A request for the segment reports the error.
            _ = try? maker.segment(segment, cancellation, isAhead: true)
        }
        if let client = asked.request.client { ahead.follow(client) }
    }
}
