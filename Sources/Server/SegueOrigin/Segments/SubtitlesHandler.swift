import SeguePackager

/// The handler of `/items/ID/TAG/subtitles-STREAM.CONTAINER/NUMBER.vtt` and of `side-TAG` likewise.
struct SubtitlesHandler: Sendable {
    let opener: ItemOpener

    func respond(
        _ asked: ResourceRequest,
        number: Int,
        of source: SubtitlesSource,
        item: LibraryItem,
        at address: SegmentAddress
    ) throws -> OriginResponse {
        let presentation = try opener.presentation(of: item, at: address, asked.cancellation)
        let bytes =
            switch source {
            case .stream(let stream):
                try presentation.subtitleSegment(number, of: stream, cancellation: asked.cancellation)
            case .side(let tag):
                try presentation.subtitleSegment(
                    number,
                    ofFile: opener.side(tag, of: item).identity,
                    cancellation: asked.cancellation
                )
            }
        return try .bytes(bytes, "text/vtt; charset=utf-8", freshness: .immutable).document(asked.request)
    }
}
