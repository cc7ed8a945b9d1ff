internal import SegueBase
internal import SegueConcurrency
internal import SegueFFmpeg
internal import SeguePackager

/// Compares a copied audio track with the source's by packets, without decoding.
///
/// Equal packets in equal order, with an equally configured decoder, decode to equal audio. So a match is proof, while
/// a mismatch requires decoding.
final class AudioPackets: AudioByPackets {
    let track: TrackDescription
    /// The shift in time.
    private(set) var moved: TimeOffsets?

    /// The configuration of a decoder.
    struct SetUp: Sendable, Equatable {
        var codec: String
        var sampleRate: Int
        var channels: Int
        var profile: Int
        /// The AAC configuration; empty if packets carry their own.
        var configuration: [UInt8]

        init(_ stream: StreamInfo) {
            (codec, sampleRate, channels) = (stream.codec, stream.sampleRate, stream.channels)
            profile = stream.profile
            configuration = stream.codec == "aac" ? stream.extradata : []
        }

        /// True if both configurations decode to the same audio.
        func agrees(with other: SetUp) -> Bool {
            codec == other.codec && sampleRate == other.sampleRate && channels == other.channels
                && (profile == other.profile || profile < 0 || other.profile < 0)
                && (configuration == other.configuration || configuration.isEmpty || other.configuration.isEmpty)
        }
    }

    private var packets: [AudioPacket] = []
    private var setUps: [SetUp] = []

    init(track: TrackDescription) { self.track = track }

    /// Adds a packet of a segment.
    func take(_ packet: Packet, of stream: StreamInfo, segment: Int) {
        let setUp = SetUp(stream)
        if !setUps.contains(setUp) { setUps.append(setUp) }
        packets.append(AudioPacket(packet, stream))
    }

    /// Ends the comparison; returns true if every source packet was delivered at its time, and nothing else.
    func finish(
        path: String,
        plan: SegmentPlan,
        _ metrics: inout VerificationReport.Metrics,
        _ cancellation: Cancellation
    ) throws -> Bool {
        let input = try MediaInput(path: path, cancellation: cancellation)
        guard let stream = input.streams.first(where: { $0.index == track.sourceStream }) else { return false }
        guard setUps.allSatisfy({ $0.agrees(with: SetUp(stream)) }) else { return false }
        input.readAsOneRun()
        let packet = Packet()
        var source: [AudioPacket] = []
        while try input.read(into: packet) {
            guard packet.streamIndex == stream.index else { continue }
            source.append(AudioPacket(packet, stream))
        }
        let frame = max(source.first?.samples ?? 0, 1)
        let expected = (plan.timestampOffset - plan.origin).seconds
        guard let match = AudioPacketMatch(source: source, delivered: packets, frame: frame, moved: expected),
            match.leading <= track.primingSamples
        else { return false }
        let unit = stream.timeBase.seconds
        let allowed = 0.001 + (unit > 0.0005 ? unit : 0)
        let moved = TimeOffsets(match.measured, plan: plan, allowed: allowed)
        guard moved.wrong(allowed: allowed).isEmpty, moved.count > 0 else { return false }
        self.moved = moved
        metrics.comparedSamples += Int64(max(0, packets.count * frame - match.leading - match.trailing))
        metrics.leadingSamples = max(metrics.leadingSamples, Int64(match.leading))
        metrics.trailingSamples = max(metrics.trailingSamples, Int64(match.trailing))
        return true
    }
}
