internal import SegueBase
internal import SeguePlaylists

/// The rules on the media at discontinuities.
enum DiscontinuityRules {
    static let ofMedia: [Check<MediaSubject>] = [needless, inside]
    static let all: [Check<MultivariantSubject>] = [beside]

    static let needless = Check<MediaSubject>(
        Rule(
            "discontinuity-needless",
            in: .timeline,
            clauses: "own",
            .advice,
            requires: "segments of one timeline and coding have no #EXT-X-DISCONTINUITY between them",
            fix: "remove the tag; FFmpeg: -hls_flags append_list writes one at each start of the program"
        )
    ) { subject in
        let entries = subject.playlist.segments
        let pairs = subject.consecutive
        let marked = pairs.filter { entries[$0.next.number].startsDiscontinuity }
        guard !subject.playlist.isIFramesOnly, marked.count >= 3, marked.count * 2 >= pairs.count,
            marked.allSatisfy({ isContinued($0.former, $0.next, in: entries) }), let first = marked.first
        else { return [] }
        let message: Message =
            "\(marked.count) segments follow #EXT-X-DISCONTINUITY, but their timestamps and coding continue the previous ones"
        return [Violation(subject.place(first.next), message)]
    }

    /// Returns true if a segment continues the previous one in time and coding.
    private static func isContinued(_ former: SegmentFacts, _ next: SegmentFacts, in entries: [MediaSegment]) -> Bool {
        guard entries[former.number].map == entries[next.number].map, former.layout == next.layout,
            former.tracks.map(\.codec) == next.tracks.map(\.codec),
            former.tracks.map(\.coding) == next.tracks.map(\.coding), let before = former.mainTrack,
            let after = next.mainTrack, let end = end(of: before), let start = after.start
        else { return false }
        return MediaLine.near(start - end).magnitude <= Rational(1, 20)
    }

    /// The end of a track by its samples; nil if it is unknown.
    private static func end(of track: TrackFacts) -> Rational? {
        guard let start = track.start else { return nil }
        if track.kind == .audio, let frames = track.codedFrames, track.codedFrame > .zero {
            return start + track.codedFrame * Rational(Int64(frames))
        }
        if let duration = track.duration {
            guard track.kind == .video, let last = track.last, let samples = track.samples, samples > 1 else {
                return start + duration
            }
            return max(last, start) + duration / Rational(Int64(samples))
        }
        guard let last = track.last, let samples = track.samples, samples > 1 else { return nil }
        return last + (last - start) / Rational(Int64(samples - 1))
    }

    /// The tracks of both kinds on both sides of a discontinuity.
    private struct Border {
        let video: (former: TrackFacts, next: TrackFacts)
        let audio: (former: TrackFacts, next: TrackFacts)

        /// Shorter gaps are hard to hear, and audio is cut at frames.
        private static let tolerance = Rational(1, 5)

        /// The message about missing or repeated audio; nil if the audio continues with the video.
        var message: Message? {
            guard let videoEnd = end(of: video.former), let audioEnd = end(of: audio.former),
                let videoStart = video.next.start, let audioStart = audio.next.start
            else { return nil }
            let (early, late) = (MediaLine.near(videoEnd - audioEnd), MediaLine.near(audioStart - videoStart))
            let gap = early + late
            // Longer differences are those of different timelines.
            guard gap.magnitude > Self.tolerance, gap.magnitude < Rational(60) else { return nil }
            let (before, after) = (side(-early, "ends"), side(late, "starts"))
            return gap > .zero
                ? "\(DisplayText.seconds(gap)) of audio are missing at the discontinuity: before it, the audio \(before) the video, after it, the audio \(after) the video"
                : "\(DisplayText.seconds(gap.magnitude)) of audio are repeated at the discontinuity: before it, the audio \(before) the video, after it, the audio \(after) the video"
        }

        private func side(_ time: Rational, _ verb: String) -> Message {
            time.magnitude < Rational(1, 1000)
                ? "\(verb) with" : "\(verb) \(DisplayText.seconds(time.magnitude)) \(time > .zero ? "after" : "before")"
        }
    }

    static let inside = Check<MediaSubject>(
        Rule(
            "sound-at-discontinuity",
            in: .timeline,
            clauses: "own",
            .advice,
            requires: "at a discontinuity, no audio is missing or repeated, within 0.2 s",
            fix: "cut the audio of each part where its video starts and ends, and pad it with silence"
        )
    ) { subject in
        guard !subject.playlist.isIFramesOnly else { return [] }
        let entries = subject.playlist.segments
        return subject.consecutive.filter { entries[$0.next.number].startsDiscontinuity }.compactMap { former, next in
            guard let video = pair(former, next, of: .video), let audio = pair(former, next, of: .audio) else {
                return nil
            }
            return Border(video: video, audio: audio).message.map { Violation(subject.place(next), $0) }
        }
    }

    private static func pair(
        _ former: SegmentFacts,
        _ next: SegmentFacts,
        of kind: SegmentTrack.Kind
    ) -> (former: TrackFacts, next: TrackFacts)? {
        guard let before = former.tracks.first(where: { $0.kind == kind }),
            let after = next.tracks.first(where: { $0.kind == kind })
        else { return nil }
        return (before, after)
    }

    /// The tracks around each discontinuity, by its number.
    private static func borders(
        _ subject: MediaSubject,
        _ kind: SegmentTrack.Kind
    ) -> [Int: (former: TrackFacts, next: TrackFacts, segment: SegmentFacts)] {
        let entries = subject.playlist.segments
        let runs = Dictionary(MediaLine(subject).points.map { ($0.segment.number, $0.run) }) { first, _ in first }
        var found: [Int: (former: TrackFacts, next: TrackFacts, segment: SegmentFacts)] = [:]
        for (former, next) in subject.consecutive where entries[next.number].startsDiscontinuity {
            guard let tracks = pair(former, next, of: kind), let run = runs[next.number] else { continue }
            found[run] = (tracks.former, tracks.next, next)
        }
        return found
    }

    static let beside = Check<MultivariantSubject>(
        Rule(
            "sound-beside-discontinuity",
            in: .timeline,
            clauses: "own",
            .advice,
            requires:
                "at a discontinuity, no audio of a rendition is missing or repeated beside the video, within 0.2 s",
            fix: "cut the audio of each part where its video starts and ends, and pad it with silence"
        )
    ) { subject in
        let media = subject.media.map(\.subject).filter { !$0.playlist.isIFramesOnly }
        guard let video = media.lazy.map({ borders($0, .video) }).first(where: { !$0.isEmpty }) else { return [] }
        return media.filter { media in
            !media.segments.contains { $0.tracks.contains { $0.kind == .video } }
        }.flatMap { media in
            borders(media, .audio).sorted { $0.key < $1.key }.compactMap { run, audio -> Violation? in
                guard let beside = video[run] else { return nil }
                let border = Border(video: (beside.former, beside.next), audio: (audio.former, audio.next))
                return border.message.map { Violation(media.place(audio.segment), $0) }
            }
        }
    }
}
