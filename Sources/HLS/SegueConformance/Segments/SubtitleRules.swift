internal import SegueBase
internal import SeguePlaylists

/// The rules on subtitles as WebVTT.
enum SubtitleRules {
    static let all: [Check<MultivariantSubject>] = [complete]
    static let ofMedia: [Check<MediaSubject>] = [timestampMap, cues]

    /// Subtitles say how their clock lies to the media's.
    static let timestampMap = Check<MediaSubject>(
        Rule("webvtt-map", "R3.5 should, B3.1.4 should, A5.3", .must, "a WebVTT segment has X-TIMESTAMP-MAP")
    ) { subject in
        subject.segments.filter { $0.subtitles != nil && $0.subtitles?.map == nil }.map {
            Violation(subject.place($0), "it has no X-TIMESTAMP-MAP")
        }
    }

    /// Each cue says when it is shown.
    static let cues = Check<MediaSubject>(
        Rule(
            "webvtt-cues",
            "R3.5, B3.1.4",
            .must,
            "cues stand apart from the header, have times that can be read, and end after they begin"
        )
    ) { subject in
        subject.segments.compactMap { segment in
            segment.subtitles?.problem.map { Violation(subject.place(segment), $0) }
        }
    }

    /// A cue that is shown during two segments is in both.
    static let complete = Check<MultivariantSubject>(
        Rule("webvtt-complete", "R3.5, B3.1.4", .must, "a segment has every cue that is shown while it lasts")
    ) { subject in
        guard let zero = start(subject) else { return [] }
        return subject.media.flatMap { entry -> [Violation] in
            let media = entry.subject
            var border = Rational.zero
            let ends = media.playlist.segments.map { segment in
                border += segment.duration
                return border
            }
            return media.consecutive.compactMap { former, next in
                missing(former, next, border: ends[former.number] + zero).map { Violation(media.place($0.0), $0.1) }
            }
        }
    }

    /// When the presentation begins, on the clock of its media.
    private static func start(_ subject: MultivariantSubject) -> Rational? {
        subject.media.lazy.compactMap { entry in
            entry.subject.segments.first { $0.number == 0 }?.mainTrack?.start
        }.first
    }

    private static func missing(
        _ former: SegmentFacts,
        _ next: SegmentFacts,
        border: Rational
    ) -> (SegmentFacts, String)? {
        guard let before = former.subtitles?.timed, let after = next.subtitles?.timed else { return nil }
        // Less than a twentieth of a second of a cue is nothing to read.
        let little = Rational(1, 20)
        if let cue = before.first(where: { $0.end > border + little && $0.start < border && !after.contains($0) }) {
            return (next, "\(cue.text.prefix(40).debugDescription) is still shown, and not in it")
        }
        if let cue = after.first(where: { $0.start < border - little && $0.end > border && !before.contains($0) }) {
            return (former, "\(cue.text.prefix(40).debugDescription) is shown already, and not in it")
        }
        return nil
    }
}
