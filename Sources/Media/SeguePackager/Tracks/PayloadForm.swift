internal import SegueFFmpeg

/// How the bytes of a copied stream's packets go into samples.
enum PayloadForm {
    /// As they are.
    case asIs
    /// Without the header that each frame of AAC has in a stream of its own.
    case withoutADTS
    /// As frames: with the parameter sets that the source changes on the way in front of keyframes, and with long
    /// lengths in front of the units where the source has other marks.
    case pictures(VideoConfiguration, changes: [(packet: Int, sets: [[UInt8]])], lengthens: Bool)

    /// A frame of AAC that has nothing but its end (ISO/IEC 14496-3, 4.4.2.1), for a header that nothing follows: an
    /// MP4 with a sample of no bytes is refused as a whole by libav and others.
    private static let silentAAC: [UInt8] = [0xe0]

    /// The form of a film's packets in a container.
    init(_ video: VideoTrack, index: StreamIndex?, in container: SegmentContainer) {
        let configuration = video.configuration
        let changes = (index?.extradataChanges ?? []).map { change in
            let sets = VideoConfiguration(codec: configuration.codec, extradata: change.bytes).parameterSets
            return (change.packet, sets)
        }
        let keepsLengths = configuration.lengthSize != nil && !configuration.isFromPicture
        let lengthens = container == .fmp4 && !keepsLengths
        guard lengthens || !changes.isEmpty else {
            self = .asIs
            return
        }
        self = .pictures(configuration, changes: changes, lengthens: lengthens)
    }

    /// The sample that a packet gives.
    ///
    /// - Parameters:
    ///   - packet: The packet's bytes, as they were read.
    ///   - isKey: True if decoding can begin with it.
    ///   - number: Its number in the index.
    /// - Returns: Its bytes as the container wants them.
    func payload(_ packet: MediaSample.Payload, isKey: Bool, number: Int) -> MediaSample.Payload {
        switch self {
        case .asIs: return packet
        case .withoutADTS:
            let frame = packet.dropping(packet.withBytes { ADTSHeader($0)?.length ?? 0 })
            return frame.count > 0 ? frame : .bytes(PayloadForm.silentAAC)
        case .pictures(let configuration, let changes, let lengthens):
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
