internal import SegueBase
internal import SeguePlaylists

/// The rules on WebVTT subtitles.
enum SubtitleRules {
    static let all: [Check<MultivariantSubject>] = [complete]
    static let ofMedia: [Check<MediaSubject>] = [timestampMap, cues]

    static let timestampMap = Check<MediaSubject>(
        Rule(
            "webvtt-map",
            in: .segments,
            clauses: "R3.5 should, B3.1.4 should, A5.3",
            .must,
            requires: "a WebVTT segment has X-TIMESTAMP-MAP",
            fix: "add X-TIMESTAMP-MAP to the header"
        )
    ) { subject in
        subject.segments.filter { $0.subtitles != nil && $0.subtitles?.map == nil }.map {
            Violation(subject.place($0), "X-TIMESTAMP-MAP is missing")
        }
    }

    static let cues = Check<MediaSubject>(
        Rule(
            "webvtt-cues",
            in: .segments,
            clauses: "R3.5, B3.1.4",
            .must,
            requires: "cues are separated from the header, have valid times, and end after they start",
            fix: "correct the cue"
        )
    ) { subject in
        subject.segments.compactMap { segment in
            segment.subtitles?.problem.map { Violation(subject.place(segment), $0) }
        }
    }

    static let complete = Check<MultivariantSubject>(
        Rule(
            "webvtt-complete",
            in: .segments,
            clauses: "R3.5, B3.1.4",
            .must,
            requires: "a segment contains every cue that is shown during its time",
            fix: "repeat the cue in each segment that it overlaps"
        )
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

    /// The start of the presentation in media time.
    private static func start(_ subject: MultivariantSubject) -> Rational? {
        subject.media.lazy.compactMap { entry in
            entry.subject.segments.first { $0.number == 0 }?.mainTrack?.start
        }.first
    }

    private static func missing(
        _ former: SegmentFacts,
        _ next: SegmentFacts,
        border: Rational
    ) -> (SegmentFacts, Message)? {
        guard let before = former.subtitles?.timed, let after = next.subtitles?.timed else { return nil }
        // Nobody can read a cue in less than 50 ms.
        let tolerance = Rational(1, 20)
        if let cue = before.first(where: { $0.end > border + tolerance && $0.start < border && !after.contains($0) }) {
            return (
                next,
                "the cue \(value: cue.text.prefix(40).debugDescription) of the previous segment is still shown, but missing"
            )
        }
        if let cue = after.first(where: { $0.start < border - tolerance && $0.end > border && !before.contains($0) }) {
            return (
                former,
                "the cue \(value: cue.text.prefix(40).debugDescription) of the next segment is shown already, but missing"
            )
        }
        return nil
    }
}
