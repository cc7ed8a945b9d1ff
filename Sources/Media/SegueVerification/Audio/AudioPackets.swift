internal import SegueBase
internal import SegueConcurrency
internal import SegueFFmpeg
internal import SeguePackager

/// Compares a copied audio track with the source's packet by packet, without decoding either.
///
/// The same packets in the same order, given to a decoder that is set up in the same way, decode to the same audio. So
/// what it takes for right is right; of what it does not, only decoding tells what is wrong.
final class AudioPackets: AudioByPackets {
    let track: TrackDescription
    /// By how much the audio was moved in time.
    private(set) var moved: TimeOffsets?

    /// What a decoder is set up with.
    struct SetUp: Sendable, Equatable {
        var codec: String
        var sampleRate: Int
        var channels: Int
        var profile: Int
        /// The configuration of AAC; empty where each packet carries its own.
        var configuration: [UInt8]

        init(_ stream: StreamInfo) {
            (codec, sampleRate, channels) = (stream.codec, stream.sampleRate, stream.channels)
            profile = stream.profile
            configuration = stream.codec == "aac" ? stream.extradata : []
        }

        /// True if audio coded for one decodes to the same with the other.
        func agrees(with other: SetUp) -> Bool {
            codec == other.codec && sampleRate == other.sampleRate && channels == other.channels
                && (profile == other.profile || profile < 0 || other.profile < 0)
                && (configuration == other.configuration || configuration.isEmpty || other.configuration.isEmpty)
        }
    }

    private var packets: [AudioPacket] = []
    private var setUps: [SetUp] = []

    init(track: TrackDescription) { self.track = track }

    /// Takes a packet of a segment.
    func take(_ packet: Packet, of stream: StreamInfo, segment: Int) {
        let setUp = SetUp(stream)
        if !setUps.contains(setUp) { setUps.append(setUp) }
        packets.append(AudioPacket(packet, stream))
    }

    /// Ends the comparison.
    ///
    /// - Parameters:
    ///   - path: The source.
    ///   - plan: Where it was cut.
    ///   - metrics: Takes what was compared.
    ///   - cancellation: Cancels the work.
    /// - Returns: True if every packet of the source was delivered, at its time, and nothing else.
    /// - Throws: ``MediaError`` if the source cannot be read.
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
