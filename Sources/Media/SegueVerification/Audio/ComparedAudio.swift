internal import SegueBase
internal import SegueConcurrency
internal import SegueFFmpeg
internal import SeguePackager
internal import Synchronization

/// A cache of transcoded audio tracks that were verified, so that renditions with equal packets need no decoding.
package final class ComparedAudio: Sendable {
    /// The result for a track.
    struct Outcome: Sendable {
        var delivered: AudioDigest
        var moved: TimeOffsets?
        /// Its contribution to a report's metrics.
        var metrics: VerificationReport.Metrics
    }

    private let known = Mutex<[TrackDescription: Outcome]>([:])

    package init() {}

    /// The result for a verified track; nil if there is none.
    func outcome(of track: TrackDescription) -> Outcome? { known.withLock { $0[track] } }

    /// Stores the result of a verified track.
    func keep(_ outcome: Outcome, of track: TrackDescription) { known.withLock { $0[track] = outcome } }
}

/// A digest of an audio track's decoder input.
struct AudioDigest: Sendable, Equatable {
    private var setUps: [AudioPackets.SetUp] = []
    private var packets = 0
    private var sums: (UInt64, UInt64) = (0xCBF2_9CE4_8422_2325, 0x9E37_79B9_7F4A_7C15)

    /// Adds a packet of a segment.
    mutating func take(_ packet: Packet, of stream: StreamInfo, segment: Int) {
        let setUp = AudioPackets.SetUp(stream)
        if !setUps.contains(setUp) { setUps.append(setUp) }
        packets += 1
        let (time, unit) = (packet.pts ?? .min, stream.timeBase)
        let words = [
            CodedFrame.checksum(ofAudio: packet, stream), UInt64(bitPattern: time),
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

/// An audio track judged by its packets, without decoding.
protocol AudioByPackets: AnyObject {
    var track: TrackDescription { get }
    /// The shift in time, once judged.
    var moved: TimeOffsets? { get }

    /// Adds a packet of a segment.
    func take(_ packet: Packet, of stream: StreamInfo, segment: Int)

    /// Ends the comparison; returns true if everything is correct, and false if decoding is necessary.
    func finish(
        path: String,
        plan: SegmentPlan,
        _ metrics: inout VerificationReport.Metrics,
        _ cancellation: Cancellation
    ) throws -> Bool
}

/// An audio track that may equal one compared before.
final class RepeatedAudio: AudioByPackets {
    let track: TrackDescription
    private let known: ComparedAudio.Outcome
    private var digest = AudioDigest()

    init(track: TrackDescription, known: ComparedAudio.Outcome) { (self.track, self.known) = (track, known) }

    /// The shift in time.
    var moved: TimeOffsets? { known.moved }

    /// Adds a packet of a segment.
    func take(_ packet: Packet, of stream: StreamInfo, segment: Int) {
        digest.take(packet, of: stream, segment: segment)
    }

    /// Ends the comparison; returns true if the track equals the one compared before.
    func finish(
        path: String,
        plan: SegmentPlan,
        _ metrics: inout VerificationReport.Metrics,
        _ cancellation: Cancellation
    ) -> Bool {
        guard digest == known.delivered else { return false }
        metrics.addAudio(of: known.metrics)
        return true
    }
}

extension VerificationReport.Metrics {
    /// Adds the metrics of an audio track.
    mutating func addAudio(of other: VerificationReport.Metrics) {
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
