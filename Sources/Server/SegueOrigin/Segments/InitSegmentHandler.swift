/// The handler of `/items/ID/TAG/RENDITION.fmp4/init.mp4`.
struct InitSegmentHandler: Sendable {
    let maker: SegmentMaker

    func respond(_ asked: ResourceRequest, _ rendition: DeliveredRendition) throws -> OriginResponse {
        let made = try maker.initSegment(of: rendition, asked.cancellation)
        let response = OriginResponse.found(made, rendition.contentType, freshness: .immutable) { [maker] in
            try maker.initSegment(of: rendition, $0)
        }
        return try response.conditional(asked.request).ranged(asked.request)
    }
}
