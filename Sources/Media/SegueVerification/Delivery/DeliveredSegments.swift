internal import SegueConcurrency
internal import SegueFFmpeg
internal import SeguePackager

/// A delivery's segments in order, each read separately, some of them ahead on the available cores.
struct DeliveredSegments {
    /// The memory limit for codecs of all open segments, in bytes, and the usage per pixel, as measured with AV1 and
    /// H.264.
    private static let (memory, bytesPerPixel) = (512 << 20, 64)

    private let read: @Sendable (Int) -> Result<SegmentReading, any Error>
    private let ahead: ValuesAhead<Result<SegmentReading, any Error>>?
    private let cores: Cores

    /// Starts reading; `depth` limits the decoded audio per segment.
    init(
        of delivery: Delivery,
        depth: LoneSegment.Depth,
        _ cores: Cores,
        _ cancellation: Cancellation
    ) {
        let read = { @Sendable (number: Int) in
            Result { try SegmentReading(number, of: delivery, depth: depth, cancellation) }
        }
        let threads = min(
            cores.most,
            delivery.segmentCount,
            Self.memory / (Self.bytesPerPixel * delivery.sourcePixels + 1)
        )
        (self.read, self.cores) = (read, cores)
        ahead =
            threads > 1
            ? ValuesAhead(0..<delivery.segmentCount, threads: threads) { number in cores.use { read(number) } } : nil
    }

    /// Returns a segment; each must be requested once, in order.
    func segment(_ number: Int) throws -> SegmentReading {
        guard let ahead else { return try read(number).get() }
        return try cores.whileWaiting { ahead.value(number) }.get()
    }
}
