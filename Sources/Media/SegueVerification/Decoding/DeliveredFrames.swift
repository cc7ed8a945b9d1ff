internal import SegueBase
internal import SegueFFmpeg

/// Decodes delivered video, and reduces its frames to the size of comparisons, upright.
final class DeliveredFrames {
    /// The displayed aspect ratio; nil before the first frame.
    private(set) var shape: Double?

    private let width: Int
    private let height: Int
    private var decoder: Decoder?
    private var stream: StreamInfo?
    private var shrinker: FrameShrinker
    private var unit = Rational(1, 90000)

    init(width: Int, height: Int) {
        (self.width, self.height) = (width, height)
        shrinker = FrameShrinker(width: width, height: height)
    }

    /// Decodes a packet of a segment; the frames have its number as their opaque value.
    func decode(
        _ packet: Packet,
        of stream: StreamInfo,
        segment: Int,
        _ see: (Frame) throws -> Void
    ) throws {
        unit = stream.timeBase
        if decoder == nil {
            decoder = try Decoder(stream: stream, file: "the delivered video")
            let (width, height) = stream.isOnItsSide ? (height, width) : (width, height)
            shrinker = FrameShrinker(width: width, height: height)
            self.stream = stream
        }
        try decoder?.decode(packet, opaque: Int64(segment), see)
    }

    /// Decodes the rest.
    func drain(_ see: (Frame) throws -> Void) throws { try decoder?.decode(nil, see) }

    /// Forgets the decoder, so that the next packet gets another one.
    func reset() { decoder = nil }

    /// Scales a frame down, and rotates it for display.
    func upright(_ frame: Frame) throws -> SmallFrame {
        let small = try shrinker.shrink(frame)
        if shape == nil { shape = stream?.shape(frame.width, frame.height) }
        return stream?.displayMatrix.map { small.shown(by: $0) } ?? small
    }

    /// Returns the timestamp of a frame in seconds; nil if it has none.
    func seconds(of frame: Frame) -> Double? {
        frame.bestEffortTimestamp.map { (Rational($0) * unit).seconds }
    }
}
