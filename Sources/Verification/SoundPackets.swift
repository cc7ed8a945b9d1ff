internal import Media
internal import Packager
internal import Timeline

/// Compares a copied audio track with the source's packet by packet, without decoding either.
///
/// The same packets in the same order, given to a decoder that is set up in the same way, decode to the same sound. So
/// what it takes for right is right; of what it does not, only decoding tells what is wrong.
final class SoundPackets {
    let track: TrackDescription
    /// By how much the sound was moved in time.
    private(set) var moved: TimeOffsets?

    /// What a decoder is set up with.
    private struct SetUp: Equatable {
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

        /// Whether sound coded for one decodes to the same with the other.
        func agrees(with other: SetUp) -> Bool {
            codec == other.codec && sampleRate == other.sampleRate && channels == other.channels
                && (profile == other.profile || profile < 0 || other.profile < 0)
                && (configuration == other.configuration || configuration.isEmpty || other.configuration.isEmpty)
        }
    }

    private var packets: [PictureComparator.Picture] = []
    private var setUps: [SetUp] = []

    init(track: TrackDescription) { self.track = track }

    /// Takes a packet of a segment.
    func take(_ packet: Packet, of stream: StreamInfo) {
        let setUp = SetUp(stream)
        if !setUps.contains(setUp) { setUps.append(setUp) }
        packets.append(PictureComparator.Picture(sound: packet, stream))
    }

    /// Ends the comparison.
    ///
    /// - Parameters:
    ///   - path: The source.
    ///   - plan: Where it was cut.
    ///   - metrics: Takes what was compared.
    ///   - cancellation: Stops the work.
    /// - Returns: Whether every packet of the source was delivered, at its time, and nothing else.
    /// - Throws: ``MediaError`` when the source cannot be read.
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
        var number = 0
        var offsets: [(time: Double, offset: Double)] = []
        let frame = max(stream.frameSize, 1)
        var (hidden, leading, trailing) = (0, 0, 0)
        while try input.read(into: packet) {
            guard packet.streamIndex == stream.index else { continue }
            let source = PictureComparator.Picture(sound: packet, stream)
            guard number < packets.count, source.checksum == packets[number].checksum else { return false }
            // What the source itself does not let be heard may come before its sound, and nowhere else.
            if source.isHidden {
                guard hidden == number * frame else { return false }
                hidden += frame
            }
            if let from = source.time, let to = packets[number].time { offsets.append((to, to - from)) }
            // A packet that is hidden as a whole may say so in both ways.
            leading = max(hidden, leading + (source.isHidden ? 0 : packet.skippedSamples?.start ?? 0))
            trailing += packet.skippedSamples?.end ?? 0
            number += 1
        }
        guard number > 0, number == packets.count, leading <= track.primingSamples else { return false }
        let moved = TimeOffsets(offsets, plan: plan)
        let unit = stream.timeBase.seconds
        guard moved.wrong(allowed: 0.001 + (unit > 0.0005 ? unit : 0)).isEmpty, moved.count > 0 else { return false }
        self.moved = moved
        metrics.comparedSamples += Int64(max(0, number * frame - leading - trailing))
        metrics.leadingSamples = max(metrics.leadingSamples, Int64(leading))
        metrics.trailingSamples = max(metrics.trailingSamples, Int64(trailing))
        return true
    }
}
