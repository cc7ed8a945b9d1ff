internal import SegueBase
internal import SegueConcurrency
internal import SegueFFmpeg

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
    private var waiting: [TimedFrame] = []
    /// The last plausible presentation time.
    private var lastTime: Double?
    /// The container's display matrix; nil if upright.
    private let matrix: [Int32]?
    private var isHighDynamicRange = false
    private var isOver = false

    /// Opens a source; `size` is the reduced size, and `known` receives the damage after complete decoding.
    init(
        of path: String,
        stream: Int,
        size: (width: Int, height: Int),
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
        let isOnItsSide = matrix.map { abs(Int($0[1])) > abs(Int($0[0])) } ?? false
        shrinker =
            isOnItsSide
            ? FrameShrinker(width: size.height, height: size.width)
            : FrameShrinker(width: size.width, height: size.height)
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

    private func note(_ frame: Frame) throws {
        let time = frame.bestEffortTimestamp.map { (Rational($0) * stream.timeBase).seconds }
        let transfer = frame.colour["color_trc"] ?? stream.colour["color_trc"]
        isHighDynamicRange = isHighDynamicRange || ["smpte2084", "arib-std-b67"].contains(transfer)
        let small = try shrinker.shrink(frame)
        waiting.append(
            TimedFrame(
                small: matrix.map { small.shown(by: $0) } ?? small,
                time: time,
                width: frame.width,
                height: frame.height
            )
        )
    }
}
