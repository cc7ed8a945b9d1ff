internal import SegueBase
internal import SegueConcurrency
internal import SegueFFmpeg
internal import SeguePackager
internal import Synchronization

/// Transcoded audio of a file that was compared with the source and is right, so that a rendition that delivers the
/// very same packets need not have them decoded again.
package final class ComparedSounds: Sendable {
    /// What came of comparing a track.
    struct Outcome: Sendable {
        var delivered: AudioDigest
        var moved: TimeOffsets?
        /// What it adds to a report's numbers.
        var metrics: VerificationReport.Metrics
    }

    private let known = Mutex<[TrackDescription: Outcome]>([:])

    /// Nothing has been compared yet.
    package init() {}

    /// What came of comparing a track, as far as that was right.
    func outcome(of track: TrackDescription) -> Outcome? { known.withLock { $0[track] } }

    /// Keeps what came of comparing a track, which is right.
    func keep(_ outcome: Outcome, of track: TrackDescription) { known.withLock { $0[track] = outcome } }
}

/// What a decoder would be given of a track of audio, in a few words.
struct AudioDigest: Sendable, Equatable {
    private var setUps: [AudioPackets.SetUp] = []
    private var packets = 0
    private var sums: (UInt64, UInt64) = (0xCBF2_9CE4_8422_2325, 0x9E37_79B9_7F4A_7C15)

    /// Takes a packet of a segment.
    mutating func take(_ packet: Packet, of stream: StreamInfo, segment: Int) {
        let setUp = AudioPackets.SetUp(stream)
        if !setUps.contains(setUp) { setUps.append(setUp) }
        packets += 1
        let (time, unit) = (packet.pts ?? .min, stream.timeBase)
        let words = [
            CodedFrame.checksum(ofSound: packet, stream), UInt64(bitPattern: time),
            UInt64(bitPattern: unit.numerator), UInt64(bitPattern: unit.denominator),
            UInt64(bitPattern: Int64(segment)),
        ]
        for word in words {
            sums.0 = (sums.0 ^ word) &* 0x100_0000_01B3
            sums.0 ^= sums.0 >> 29
            sums.1 = (sums.1 ^ word) &* 0xFF51_AFD7_ED55_8CCD
            sums.1 ^= sums.1 >> 33
        }
    }

    static func == (left: AudioDigest, right: AudioDigest) -> Bool {
        left.packets == right.packets && left.sums == right.sums && left.setUps == right.setUps
    }
}

/// A track of audio that is judged by its packets, without being decoded.
protocol AudioByPackets: AnyObject {
    var track: TrackDescription { get }
    /// By how much the audio was moved in time, once it is judged.
    var moved: TimeOffsets? { get }

    /// Takes a packet of a segment.
    func take(_ packet: Packet, of stream: StreamInfo, segment: Int)

    /// Ends the comparison: whether all is right; where it is not, only decoding tells what is wrong.
    func finish(
        path: String,
        plan: SegmentPlan,
        _ metrics: inout VerificationReport.Metrics,
        _ cancellation: Cancellation
    ) throws -> Bool
}

/// A track of audio that may be one that was compared before.
final class RepeatedAudio: AudioByPackets {
    let track: TrackDescription
    private let known: ComparedSounds.Outcome
    private var digest = AudioDigest()

    init(track: TrackDescription, known: ComparedSounds.Outcome) { (self.track, self.known) = (track, known) }

    /// By how much the audio was moved in time.
    var moved: TimeOffsets? { known.moved }

    /// Takes a packet of a segment.
    func take(_ packet: Packet, of stream: StreamInfo, segment: Int) {
        digest.take(packet, of: stream, segment: segment)
    }

    /// Ends the comparison: whether it is the audio that was compared before.
    func finish(
        path: String,
        plan: SegmentPlan,
        _ metrics: inout VerificationReport.Metrics,
        _ cancellation: Cancellation
    ) -> Bool {
        guard digest == known.delivered else { return false }
        metrics.addSound(of: known.metrics)
        return true
    }
}

extension VerificationReport.Metrics {
    /// Adds the numbers of a track of audio.
    mutating func addSound(of other: VerificationReport.Metrics) {
        comparedSamples += other.comparedSamples
        filledSamples += other.filledSamples
        missingSamples += other.missingSamples
        repeatedSamples += other.repeatedSamples
        alteredSamples += other.alteredSamples
        leadingSamples = max(leadingSamples, other.leadingSamples)
        undeclaredLeadingSamples = max(undeclaredLeadingSamples, other.undeclaredLeadingSamples)
        trailingSamples = max(trailingSamples, other.trailingSamples)
        borderError = other.borderError ?? borderError
        insideError = other.insideError ?? insideError
    }
}
