internal import SegueFFmpeg

/// The conversion of a copied stream's packets to samples.
enum PayloadForm {
    case asIs
    /// AAC frames without their ADTS headers.
    case withoutADTS
    /// Frames, with changed parameter sets before keyframes and start codes replaced with four-byte lengths.
    case frames(VideoConfiguration, changes: [(packet: Int, sets: [[UInt8]])], lengthens: Bool)

    /// An AAC frame with only an end element (ISO/IEC 14496-3, 4.4.2.1), for an ADTS header without payload: libav and
    /// others reject an MP4 with an empty sample.
    private static let silentAAC: [UInt8] = [0xe0]

    /// Selects the conversion of a video's packets for a container.
    init(_ video: VideoTrack, index: StreamIndex?, in container: SegmentContainer) {
        let configuration = video.configuration
        let changes = (index?.extradataChanges ?? []).map { change in
            let sets = VideoConfiguration(codec: configuration.codec, extradata: change.bytes).parameterSets
            return (change.packet, sets)
        }
        let keepsLengths = configuration.lengthSize != nil && !configuration.isInBand
        let lengthens = container == .fmp4 && !keepsLengths
        guard lengthens || !changes.isEmpty else {
            self = .asIs
            return
        }
        self = .frames(configuration, changes: changes, lengthens: lengthens)
    }

    /// Converts a packet with its number in the index.
    func payload(_ packet: MediaSample.Payload, isKey: Bool, number: Int) -> MediaSample.Payload {
        switch self {
        case .asIs: return packet
        case .withoutADTS:
            let frame = packet.dropping(packet.withBytes { ADTSHeader($0)?.length ?? 0 })
            return frame.count > 0 ? frame : .bytes(PayloadForm.silentAAC)
        case .frames(let configuration, let changes, let lengthens):
            let sets = isKey ? changes.last { $0.packet <= number }?.sets ?? [] : []
            if lengthens {
                let units = packet.withBytes {
                    NALUnits.withLongLengths($0, units: configuration.units(of: $0), after: sets)
                }
                return .bytes(units.isEmpty ? NALUnits.filler(configuration.codec) : units)
            }
            guard !sets.isEmpty else { return packet }
            return .bytes(packet.withBytes { bytes in sets.flatMap { configuration.framed($0) } + bytes })
        }
    }
}
