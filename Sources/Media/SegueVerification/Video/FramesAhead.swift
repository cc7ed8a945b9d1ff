internal import SeguePackager

/// A source's frames, decoded ahead on a separate thread.
final class FramesAhead {
    private typealias Batch = Result<(frames: [SourceVideo.TimedFrame], complaints: [String]), any Error>

    /// The number of frames decoded at once.
    private static let batch = 16

    /// The libav errors, once all frames are decoded.
    private(set) var complaints: [String] = []

    private let decode: @Sendable () -> Batch
    private let ahead: ValuesAhead<Batch>?
    private let cores: Cores
    private var number = 0
    private var frames: ArraySlice<SourceVideo.TimedFrame> = []
    private var isOver = false

    /// Starts decoding; the source must not be used by anything else.
    init(_ source: SourceVideo, _ cores: Cores) {
        let source = Handed(source)
        let decode = { @Sendable in
            Batch {
                var frames: [SourceVideo.TimedFrame] = []
                while frames.count < Self.batch, let next = try source.value.next() { frames.append(next) }
                return (frames, source.value.complaints)
            }
        }
        (self.decode, self.cores) = (decode, cores)
        // A single thread decodes in order.
        ahead = cores.most > 1 ? ValuesAhead(0..<Int.max, threads: 1) { _ in cores.use(decode) } : nil
    }

    /// The next frame in display order; nil after the last.
    func next() throws -> SourceVideo.TimedFrame? {
        if frames.isEmpty, !isOver {
            let made = ahead.map { ahead in cores.whileWaiting { ahead.value(number) } } ?? decode()
            let batch = try made.get()
            (frames, complaints) = (batch.frames[...], batch.complaints)
            number += 1
            isOver = frames.count < Self.batch
        }
        return frames.popFirst()
    }

    /// The source, for the decoding thread.
    private struct Handed: @unchecked Sendable {
        // Sendable: used by one thread at a time, that of ``ValuesAhead`` or the owner's.
        let value: SourceVideo
        init(_ value: SourceVideo) { self.value = value }
    }
}
