internal import SegueBase
internal import SegueFFmpeg

/// Decodes delivered audio, including the samples that a container declares as discarded.
final class DeliveredAudio {
    private var decoder: Decoder?
    private let floats = PlanarFloats()
    private var unit = Rational(1, 90000)

    /// Decodes a packet of a segment; the frames have its number as their opaque value.
    func decode(
        _ packet: Packet,
        of stream: StreamInfo,
        segment: Int,
        _ hear: (Frame) throws -> Void
    ) throws {
        unit = stream.timeBase
        if decoder == nil {
            decoder = try Decoder(stream: stream, file: "the delivered audio", options: ["flags2": "+skip_manual"])
        }
        try decoder?.decode(packet, opaque: Int64(segment), hear)
    }

    /// Decodes the rest.
    func drain(_ hear: (Frame) throws -> Void) throws { try decoder?.decode(nil, hear) }

    /// Forgets the decoder, so that the next packet gets another one.
    func reset() { decoder = nil }

    /// Returns the samples of a frame by channel.
    func samples(of frame: Frame) throws -> [[Float]] { try floats.samples(of: frame) }

    /// Returns the timestamp of a frame in seconds; nil if it has none.
    func seconds(of frame: Frame) -> Double? {
        frame.bestEffortTimestamp.map { (Rational($0) * unit).seconds }
    }
}
