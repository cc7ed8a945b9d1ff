internal import SegueBase

/// The places in a plan at which an audio track needs silence.
struct NeededSilence {
    /// The time range of the plan, in seconds since the source's time 0.
    let range: Range<Rational>
    /// True if the file is being written, so that its audio has no end yet.
    let isGrowing: Bool

    /// The duration at either end for which copied audio may be missing, which is not worth transcoding.
    private static let tolerance = Rational(1, 2)
    /// The maximum duration of a hole in copied audio; shorter ones are lost packets.
    private static let longestHole = Rational(1, 5)
    /// The minimum duration of a hole that is wrong timestamps, in seconds.
    private static let wrong = Rational(Int64(AudioHoles.filled.upperBound))

    init(_ plan: SegmentPlan, isGrowing: Bool = false) {
        range = plan.origin..<plan.origin + plan.duration
        self.isGrowing = isGrowing
    }

    /// True if a track begins late or ends early.
    func isAtEnds(of track: AudioTrack) -> Bool { late(track) > Self.tolerance || early(track) > Self.tolerance }

    /// The reason why copied audio needs silence; nil if it needs none.
    func reason(in track: AudioTrack, frame: Int64, _ cut: CutAudio) -> String? {
        if late(track) > Self.tolerance { return "it begins \(seconds(late(track))) late, which needs silence" }
        if early(track) > Self.tolerance { return "it ends \(seconds(early(track))) early, which needs silence" }
        if let hole = hole(in: track, frame: frame) {
            let place = seconds(hole.start - range.lowerBound)
            return "it pauses for \(seconds(hole.duration)) at \(place), which needs silence"
        }
        return cut.emptySegment.map { "it has nothing for segment \($0), which needs silence" }
    }

    private func late(_ track: AudioTrack) -> Rational {
        Rational(track.contentStart, track.clockRate) - range.lowerBound
    }

    private func early(_ track: AudioTrack) -> Rational {
        isGrowing ? .zero : range.upperBound - Rational(track.end, track.clockRate)
    }

    private func hole(in track: AudioTrack, frame: Int64) -> (start: Rational, duration: Rational)? {
        let rate = Rational(track.clockRate)
        let holes = (Self.longestHole * rate).floored()..<(Self.wrong * rate).floored()
        var end = track.starts.first ?? 0
        for start in track.starts {
            if holes.contains(start - end) {
                return (Rational(end, track.clockRate), Rational(start - end, track.clockRate))
            }
            end = start + frame
        }
        return nil
    }

    private func seconds(_ duration: Rational) -> String {
        let tenths = duration.rounded(scale: 10)
        return tenths % 10 == 0 ? "\(tenths / 10) s" : "\(tenths / 10).\(tenths % 10) s"
    }
}
