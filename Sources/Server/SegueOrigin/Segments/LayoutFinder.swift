import SegueBase
import SegueConcurrency
import SegueFFmpeg
import SeguePackager

/// The byte ranges of a rendition's segments in one resource.
struct LayoutFinder: Sendable {
    /// The maximum duration of a title whose video is encoded just to measure its segments.
    private static let encodedVideoLimit = Rational(60)
    /// The maximum duration of a title whose audio is encoded just to measure its segments.
    private static let encodedAudioLimit = Rational(1200)

    let maker: SegmentMaker

    /// Returns the layout of a rendition, computed from its pieces on first use.
    ///
    /// - Parameters:
    ///   - cancellation: Stops the work of this caller.
    /// - Returns: The layout.
    /// - Throws: ``PackagingError``, or ``OriginFailure`` if the encoding would take too long.
    func layout(
        of delivered: DeliveredRendition,
        _ item: LibraryItem,
        _ cancellation: Cancellation
    ) throws -> WholeLayout {
        let key = SegmentStore.Key.layout(delivered)
        let made = try maker.store.bytes(for: key, cancellation: cancellation, isCostly: { true }) { work in
            try find(delivered, of: item, work: work).encoded
        }
        return WholeLayout(encoded: made.bytes)
    }

    private func find(
        _ delivered: DeliveredRendition,
        of item: LibraryItem,
        work: Cancellation
    ) throws -> WholeLayout {
        let (rendition, container) = (delivered.rendition, delivered.container)
        let presentation = try maker.presentation(of: delivered, work)
        guard presentation.identity.isComplete else {
            throw OriginFailure.unservable(
                "stillGrowing",
                "\(item.path): the file is still being written, so it has no final byte ranges; omit byterange=1"
            )
        }
        try Self.check(presentation, rendition, of: item, cancellation: work)
        let initSize =
            switch container {
            case .fmp4: try maker.initSegment(of: delivered, work).count
            case .ts: 0
            }
        let numbers =
            rendition.video == .keyframes
            ? try presentation.keyframes().map(\.segment)
            : Array(0..<(try presentation.extent(of: rendition, in: container, cancellation: work).segmentCount))
        let isEncoded = presentation.isEncoded(rendition, cancellation: work)
        let sizes = try numbers.map { number -> Int64 in
            // Encoded segments are cached if there is room; copied ones are made again quickly.
            guard isEncoded else {
                return Int64(try presentation.segment(number, of: rendition, in: container, cancellation: work).count)
            }
            return Int64(try maker.segment(DeliveredSegment(number, of: delivered), work).count)
        }
        return WholeLayout(numbers: numbers, initSize: Int64(initSize), sizes: sizes)
    }

    /// Checks that the sizes of a rendition's segments can be measured in a reasonable time.
    private static func check(
        _ presentation: any Presenting,
        _ rendition: Rendition,
        of item: LibraryItem,
        cancellation: Cancellation
    ) throws {
        guard presentation.isEncoded(rendition, cancellation: cancellation) else { return }
        let isVideo = presentation.videoEncoder(of: rendition) != nil
        let longest = isVideo ? encodedVideoLimit : encodedAudioLimit
        guard presentation.plan.duration > longest else { return }
        let what: ErrorSentence = isVideo ? "video" : "audio"
        throw OriginFailure.unservable(
            "byteRangesUnknown",
            """
            \(item.path): the \(what) is transcoded on demand, so segment sizes are unknown in advance; omit \
            byterange=1, or name a device that plays the \(what) without transcoding
            """
        )
    }
}
