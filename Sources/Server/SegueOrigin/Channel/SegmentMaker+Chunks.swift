import SegueBase
import SegueConcurrency
import SegueFFmpeg
import SeguePackager

extension SegmentMaker {
    /// Returns a segment that is divided into parts, from the cache or made now.
    ///
    /// - Parameters:
    ///   - segment: The segment, in fragmented MP4.
    ///   - cancellation: Stops the work of this caller.
    ///   - isAhead: True for a prefetch.
    /// - Returns: Bytes for ``ChunkedSegment``.
    /// - Throws: ``PackagingError``, ``OriginFailure``.
    func chunks(
        _ segment: DeliveredSegment,
        _ parts: [ChannelPart],
        cancellation: Cancellation,
        isAhead: Bool = false
    ) throws -> KeptBytes {
        let delivered = segment.delivered
        return try store.kept(
            for: .chunks(segment, parts: parts.map(\.microseconds)),
            cancellation: cancellation,
            isAhead: isAhead,
            isCostly: { held(delivered)?.isEncoded(delivered.rendition, cancellation: cancellation) == true }
        ) { work in
            let presentation = try presentation(of: delivered, work)
            let planned = presentation.plan.segments
            guard planned.indices.contains(segment.number) else {
                throw PackagingError(
                    .noSuchSegment,
                    file: delivered.identity.path,
                    "the file has no segment of this number"
                )
            }
            let chunked = ChunkedSegment(
                try whole(of: self.segment(segment, work, isAhead: isAhead)),
                initialization: try whole(of: initSegment(of: delivered, work)),
                number: segment.number,
                start: planned[segment.number].start + presentation.plan.timestampOffset,
                parts: parts.map { PlannedPart(microseconds: Int64($0.microseconds), hasKeyframe: $0.hasKeyframe) }
            )
            guard let chunked else {
                throw PackagingError(.broken, file: delivered.identity.path, "a segment cannot be divided into parts")
            }
            return chunked.bytes
        }
    }

    /// All bytes of a segment; the retry after an eviction is rare.
    private func whole(of kept: KeptBytes) throws -> [UInt8] {
        guard let bytes = kept.read(0..<kept.count) else { throw OriginFailure.overloaded }
        return bytes
    }
}
