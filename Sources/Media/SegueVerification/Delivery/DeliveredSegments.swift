internal import SegueConcurrency
internal import SegueFFmpeg
internal import SeguePackager

/// The segments of a delivery in order, each read alone: some of them ahead, on as many threads as there are cores.
struct DeliveredSegments {
    /// What the decoders and encoders of all segments in hand may hold, in bytes, and what those of one hold for each
    /// pixel of a frame, as measured with AV1 and H.264.
    private static let (memory, bytesPerPixel) = (512 << 20, 64)

    private let read: @Sendable (Int) -> Result<SegmentReading, any Error>
    private let ahead: ValuesAhead<Result<SegmentReading, any Error>>?
    private let cores: Cores

    /// Begins to read.
    ///
    /// - Parameters:
    ///   - delivery: What was delivered.
    ///   - depth: How much of each segment's audio is decoded.
    ///   - cores: The number of may be busy.
    ///   - cancellation: Cancels the work.
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

    /// A segment; each is requested once, in order.
    func segment(_ number: Int) throws -> SegmentReading {
        guard let ahead else { return try read(number).get() }
        return try cores.whileWaiting { ahead.value(number) }.get()
    }
}
