/// Answers for init segments: `/items/ID/TAG/RENDITION.fmp4/init.mp4`.
struct InitSegmentHandler: Sendable {
    let maker: SegmentMaker

    /// The init segment of a rendition.
    func answer(_ asked: ResourceRequest, _ rendition: DeliveredRendition) throws -> OriginResponse {
        let made = try maker.initSegment(of: rendition, asked.cancellation)
        return try .bytes(made.bytes, rendition.contentType, tag: made.tag, freshness: .immutable)
            .conditional(asked.request).ranged(asked.request)
    }
}
