package import SegueBase

/// The frames of transcoded video whose first frame is shown earlier, and whose last one longer, than in the source.
///
/// Players on Media Source Extensions play only where all tracks have data. A frame that stands still costs a few bytes for
/// each repetition.
package struct HeldEnds: Sendable {
    /// The presentation times, ascending.
    let times: [Int64]
    /// The packet number of each frame.
    let packets: [Int]

    /// The end of the last frame.
    let end: Int64

    /// The maximum delay of the first frame after the start of the audio without repetition, in seconds.
    package static let longestStart = Rational(1)
    /// The maximum duration of audio after the last frame without repetition, in seconds; a segment takes it up.
    package static let longestEnd = CutList.target

    /// The maximum duration of each, in seconds; longer ones are faults in the source's timestamps.
    private static let mostHeld = Rational(3600)

    /// Adds the repetitions at intervals of `step`; `times` are ascending, and `end` is the end of the last frame.
    init(times: [Int64], packets: [Int], end: Int64, step: Int64, shown: Range<Rational>, timescale: Int64) {
        let start = shown.lowerBound.ceiled(scale: timescale)
        let first = times.first ?? start
        let isLate = Rational(first - start, timescale) > Self.longestStart
        let before = isLate ? Array(stride(from: start, to: first - step / 2, by: Int(step))) : []
        let last = shown.upperBound.floored(scale: timescale)
        let isEarly = Rational(last - end, timescale) > Self.longestEnd
        let after = isEarly ? Array(stride(from: end, to: last - step / 2, by: Int(step))) : []
        self.times = before + times + after
        self.packets = before.map { _ in packets.first ?? 0 } + packets + after.map { _ in packets.last ?? 0 }
        self.end = isEarly ? last : end
    }

    /// The reason for showing frames of a track longer; nil if its segments need none.
    ///
    /// `isGrowing` is true for a file that is being written, whose video has no end yet.
    static func reason(for video: VideoTrack, in plan: SegmentPlan, isGrowing: Bool) -> String? {
        let late = video.start - plan.origin
        let early = isGrowing ? .zero : plan.origin + plan.duration - video.end
        guard max(late, early) <= mostHeld else { return nil }
        if late > longestStart { return "the video begins \(late.rounded(scale: 1)) s after the audio" }
        return early > longestEnd ? "the video ends \(early.rounded(scale: 1)) s before the audio" : nil
    }
}
