internal import SegueBase
internal import SegueConcurrency
internal import SegueFFmpeg

// Size: the state of a decoder, of its source's damage, and of the reduction of frames, which change together.
/// Decodes a file's video stream from its start, frame by frame.
final class SourceVideo {
    /// A frame with its presentation time in seconds.
    struct TimedFrame: Sendable {
        var small: SmallFrame
        var time: Double?
        /// True if the frames decoded so far are HDR, which other screens require to be tone-mapped.
        var isHighDynamicRange = false
        /// The decoded size in pixels, which may differ from the container's.
        var width = 0
        var height = 0
    }

    /// The unit of the stream's times, in seconds.
    let unit: Double
    /// The declared frame rate; nil if none is declared.
    let frameRate: Double?
    /// The libav errors.
    private(set) var complaints: [String] = []

    private let input: MediaInput
    private let stream: StreamInfo
    private let decoder: Decoder
    private var damage: StreamDamage
    private let known: KnownDamage?
    private var shrinker: FrameShrinker
    private let size: (width: Int, height: Int)
    /// The displayed aspect ratio of the comparison; nil if frames fill it in any shape.
    private let shape: Double?
    private var firstAspect: Rational??
    private var inner: (width: Int, height: Int)
    private var waiting: [TimedFrame] = []
    /// The last plausible presentation time.
    private var lastTime: Double?
    /// The container's display matrix; nil if upright.
    private let matrix: [Int32]?
    private var isHighDynamicRange = false
    private var isOver = false

    /// Opens a source.
    ///
    /// `size` is the reduced size, in which frames of another shape than `shape` have bars; `known` receives the damage
    /// after complete decoding.
    init(
        of path: String,
        stream: Int,
        size: (width: Int, height: Int),
        shape: Double? = nil,
        known: KnownDamage? = nil,
        _ cancellation: Cancellation
    ) throws {
        input = try MediaInput(path: path, cancellation: cancellation)
        guard let info = input.streams.first(where: { $0.index == stream }) else {
            throw MediaError(call: "open", file: path, message: "the file has no stream \(stream)")
        }
        if info.isAttachedPicture { input.keepOnly(streams: [stream]) } else { input.readAsOneRun() }
        self.stream = info
        unit = info.timeBase.seconds
        frameRate = (info.averageFrameRate ?? info.realFrameRate)?.seconds
        var damage = StreamDamage(of: info)
        decoder = try damage.open { try Decoder(stream: info, file: path) }
        (self.damage, self.known) = (damage, known)
        matrix = info.displayMatrix
        (self.size, self.shape, inner) = (size, shape, size)
        shrinker = Self.shrinker(to: size, isOnItsSide: info.isOnItsSide)
    }

    /// The next frame in display order; nil after the last.
    func next() throws -> TimedFrame? {
        while waiting.count <= OutlierTimestamps.most, !isOver { try step() }
        guard !waiting.isEmpty else { return nil }
        var frame = waiting.removeFirst()
        frame.isHighDynamicRange = isHighDynamicRange
        if OutlierTimestamps.isStray(frame.time, after: lastTime, before: waiting.map(\.time)) {
            frame.time = nil
        } else {
            lastTime = frame.time ?? lastTime
        }
        return frame
    }

    private func step() throws {
        let packet = Packet()
        do {
            guard try damage.read(input, into: packet) else {
                isOver = true
                try? damage.drain(decoder, note)
                known?.keep(damage, of: stream.index)
                return
            }
            guard packet.streamIndex == stream.index, packet.size > 0 else { return }
            try damage.decode(packet, with: decoder, note)
        } catch let error as MediaError {
            if error.isCancelled { throw error }
            complaints.append("\(error)")
            isOver = isOver || error.call == "av_read_frame"
        }
    }

    private static func shrinker(to size: (width: Int, height: Int), isOnItsSide: Bool) -> FrameShrinker {
        isOnItsSide
            ? FrameShrinker(width: size.height, height: size.width)
            : FrameShrinker(width: size.width, height: size.height)
    }

    /// Reduces a frame, rotates it for display, and adds bars.
    private func upright(_ frame: Frame) throws -> SmallFrame {
        let fitted = fitted(frame)
        if fitted != inner { (inner, shrinker) = (fitted, Self.shrinker(to: fitted, isOnItsSide: stream.isOnItsSide)) }
        let small = try shrinker.shrink(frame)
        return (matrix.map { small.shown(by: $0) } ?? small).padded(width: size.width, height: size.height)
    }

    /// The reduced size of a frame without bars.
    private func fitted(_ frame: Frame) -> (width: Int, height: Int) {
        guard let shape else { return size }
        let own = frame.sampleAspectRatio
        let first = firstAspect ?? own
        firstAspect = .some(first)
        // The container's aspect ratio is that of the first frames.
        let pixel = (own == first ? stream.sampleAspectRatio ?? own : own).map(\.seconds) ?? 1
        var found = Double(frame.width) * (pixel >= 0.25 && pixel <= 4 ? pixel : 1) / Double(max(1, frame.height))
        if stream.isOnItsSide { found = 1 / found }
        // Both bars have the same size.
        let inner = { (side: Int, part: Double) in max(8, side - 2 * Int((Double(side) * (1 - part) / 2).rounded())) }
        // A bar of one or two lines is not worth padding.
        if found > shape * 1.02 { return (size.width, min(size.height, inner(size.height, shape / found))) }
        if found < shape / 1.02 { return (min(size.width, inner(size.width, found / shape)), size.height) }
        return size
    }

    private func note(_ frame: Frame) throws {
        let time = frame.bestEffortTimestamp.map { (Rational($0) * stream.timeBase).seconds }
        let transfer = frame.colour["color_trc"] ?? stream.colour["color_trc"]
        isHighDynamicRange = isHighDynamicRange || ["smpte2084", "arib-std-b67"].contains(transfer)
        waiting.append(
            TimedFrame(
                small: try upright(frame),
                time: time,
                width: frame.width,
                height: frame.height
            )
        )
    }
}
