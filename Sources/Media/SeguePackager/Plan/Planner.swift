internal import SegueBase
internal import SegueFFmpeg

/// Cuts a file's tracks into segments.
struct Planner {
    let video: VideoTrack?
    let audio: AudioTrack?
    /// The time ranges of the other audio streams, in seconds.
    let otherAudio: [Range<Rational>]
    /// The end of a file without playable tracks.
    let fallbackEnd: () -> Rational
    let file: String

    /// Plans by the video if possible, otherwise by the audio; also returns the reason why the video cannot be cut.
    func plan() -> (plan: SegmentPlan, obstacle: PackagingError?) {
        let plan = makePlan(video: video, audio: audio)
        guard let video, let long = plan.segments.first(where: { $0.duration > CutList.greatest }) else {
            return (plan, nil)
        }
        let what = video.transcoded == nil ? "keyframe" : "frame"
        let obstacle = PackagingError(
            .sparseKeyframes,
            file: file,
            "the video has no \(what) for \(long.duration.rounded(scale: 1)) s from "
                + "\(long.start.rounded(scale: 1)) s on"
        )
        return (makePlan(video: nil, audio: audio), obstacle)
    }

    private func makePlan(video: VideoTrack?, audio: AudioTrack?) -> SegmentPlan {
        let origin = self.origin(video, audio)
        let ends = [video?.end, audio.map { Rational($0.end, $0.clockRate) }].compactMap { $0 }
        let own = max(ends.max().map { $0 - origin } ?? fallbackEnd(), Rational(1, 1000))
        let end = later.map { max(own, $0 - origin) } ?? own
        let candidates =
            video.map { film($0, audio, origin: origin, end: end) }
            ?? audio.map { grid($0, origin: origin, from: .zero, to: end) } ?? even(end)
        let cuts = CutList.cuts(candidates: candidates.sorted(), end: end)
        let known = Planner.known(ends: ends.map { $0 - origin }, end: own)
        let earliest = [video?.earliest, audio.map { Rational($0.starts[0], $0.clockRate) }].compactMap { $0 }.min()
        let needed = earliest.map { origin - $0 } ?? .zero
        return SegmentPlan(
            segments: CutList.segments(cuts, end: end),
            origin: origin,
            timestampOffset: Rational(max(1, (needed + Rational(3, 4)).ceiled())),
            settledCount: CutList.settledCount(cuts, last: candidates.map(\.time).max() ?? .zero, known: known)
        )
    }

    /// The time until which all frames of a file that grows are in it, since its streams are interleaved.
    ///
    /// Choice: streams lag at most 2 s behind the end of the file, and a stream that lags by 10 s has ended; libavformat
    /// writes packets that waited 10 s for another stream (its option max_interleave_delta).
    private static func known(ends: [Rational], end: Rational) -> Rational {
        min(end - Rational(2), max(ends.min() ?? end, end - Rational(10)))
    }

    /// The source time of the plan's 0: the start of the first track that counts.
    private func origin(_ video: VideoTrack?, _ audio: AudioTrack?) -> Rational {
        let heard = audio.map { Rational($0.contentStart, $0.clockRate) }
        guard let own = [video?.start, heard].compactMap({ $0 }).min() else { return .zero }
        let other = otherAudio.map(\.lowerBound).min() ?? own
        let first = Self.differences.contains((own - other).seconds) ? other : own
        guard let video else { return first }
        return Rational(first.floored(scale: video.timescale), video.timescale)
    }

    /// The end of the other audio if it is later than that of the best audio and the video.
    private var later: Rational? {
        let ends = [video?.end, audio.map { Rational($0.end, $0.clockRate) }].compactMap { $0 }
        guard let own = ends.max(), let end = otherAudio.map(\.upperBound).max() else { return nil }
        return Self.differences.contains((end - own).seconds) ? end : nil
    }

    /// The differences at which other audio determines an end of the plan, in seconds; larger ones are wrong timestamps.
    private static let differences = 0.5...AudioHoles.filled.upperBound

    private func film(
        _ video: VideoTrack,
        _ audio: AudioTrack?,
        origin: Rational,
        end: Rational
    ) -> [CutList.Candidate] {
        let times = video.cutTimes
        let isCheap = cheapCuts(video, origin: origin)
        var result = video.keys.indices.dropFirst().filter { isCheap(times[$0]) }.map { key in
            CutList.Candidate(
                time: Rational(times[key], video.timescale) - origin,
                isForced: video.keyEpochs[key] != video.keyEpochs[key - 1] || video.changedKeys.contains(key)
            )
        }
        guard let audio else { return result }
        // Where the video cannot be held, the audio alone is cut.
        let first = video.start - origin
        if first > CutList.greatest { result += grid(audio, origin: origin, from: .zero, to: first) }
        let last = video.end - origin
        if end - last > CutList.target { result += grid(audio, origin: origin, from: last, to: end) }
        return result
    }

    /// Returns a predicate for cheap cut times of transcoded video: any frame, or only the source's keyframe if one is
    /// near the preferred time, because then no undisplayed frames are decoded.
    private func cheapCuts(_ video: VideoTrack, origin: Rational) -> (Int64) -> Bool {
        guard let keys = video.transcoded?.keys else { return { _ in true } }
        let goal = { (time: Int64) in
            ((Rational(time, video.timescale) - origin) / CutList.target).rounded(scale: 1)
        }
        var cheap: [Int64: Set<Int64>] = [:]
        for key in keys {
            let number = goal(key.time)
            let distance = Rational(key.time, video.timescale) - origin - Rational(number) * CutList.target
            if distance.magnitude <= Rational(3, 2) { cheap[number, default: []].insert(key.time) }
        }
        return { time in cheap[goal(time)]?.contains(time) ?? true }
    }

    private func grid(_ audio: AudioTrack, origin: Rational, from: Rational, to end: Rational) -> [CutList.Candidate] {
        var result: [CutList.Candidate] = []
        var goal = Rational((from / CutList.target).floored() + 1) * CutList.target
        while goal < end {
            let nearest = audio.nearestStart(to: goal + origin) - origin
            // Silence takes the place of missing audio, at any time.
            let time = (nearest - goal).magnitude < Rational(1) ? nearest : goal
            if time > from, time > result.last?.time ?? .zero {
                result.append(CutList.Candidate(time: time, isForced: false))
            }
            let next = audio.firstFrame(from: goal + origin + CutList.target / Rational(2))
            let following = next < audio.starts.count ? Rational(audio.starts[next], audio.clockRate) - origin : goal
            // Longer gaps are wrong timestamps, and stay empty.
            let isEmpty = following - goal > Rational(Int64(AudioHoles.filled.upperBound))
            goal += CutList.target
            if isEmpty { goal = max(goal, Rational((following / CutList.target).floored()) * CutList.target) }
        }
        for frame in audio.epochStarts where frame < audio.starts.count {
            let time = Rational(audio.starts[frame], audio.clockRate) - origin
            if time > from, time < end { result.append(CutList.Candidate(time: time, isForced: true)) }
        }
        return result
    }

    private func even(_ end: Rational) -> [CutList.Candidate] {
        (1..<min(100_000, max(2, (end / CutList.target).ceiled()))).map {
            CutList.Candidate(time: Rational($0) * CutList.target, isForced: false)
        }
    }
}
