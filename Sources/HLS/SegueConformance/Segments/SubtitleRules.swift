internal import SegueBase
internal import SegueContainers
internal import SeguePlaylists

/// The rules on WebVTT subtitles.
enum SubtitleRules {
    static let all: [Check<MultivariantSubject>] = [complete, clock, origin]
    static let ofMedia: [Check<MediaSubject>] = [timestampMap, cues]

    static let timestampMap = Check<MediaSubject>(
        Rule(
            "webvtt-map",
            in: .segments,
            clauses: "R3.5 should, B3.1.4 should, A5.3",
            .must,
            requires: "a WebVTT segment has X-TIMESTAMP-MAP with LOCAL and MPEGTS",
            fix:
                "write X-TIMESTAMP-MAP=LOCAL:00:00:00.000,MPEGTS:TICKS into the header; FFmpeg's HLS muxer writes none",
            players: .breaks(
                "GStreamer stops if the map is negative; Chromium, mpv, and VLC play",
                source: "measured (docs/breaks.md)"
            )
        )
    ) { subject in
        subject.segments.compactMap { segment in
            guard let facts = segment.subtitles, facts.map == nil else { return nil }
            guard let text = facts.mapText else {
                return Violation(subject.place(segment), "X-TIMESTAMP-MAP is missing")
            }
            let message: Message =
                "X-TIMESTAMP-MAP is \(value: text.debugDescription), expected LOCAL:HH:MM:SS.mmm and MPEGTS with 0 or more ticks"
            return Violation(subject.place(segment), message)
        }
    }

    static let clock = Check<MultivariantSubject>(
        Rule(
            "webvtt-clock",
            in: .timeline,
            clauses: "own",
            .advice,
            requires: "X-TIMESTAMP-MAP and the media beside it have times of less than 33 bits (26.5 hours at 90 kHz)",
            fix: "start the timestamps of the media near zero, and write MPEGTS modulo 2^33"
        )
    ) { subject in
        let wrap = Rational(TransportTime.wrap, TransportTime.scale)
        let far = subject.media.lazy.flatMap(\.subject.segments).compactMap { segment in
            segment.layout == .webVTT ? nil : segment.mainTrack?.start
        }.first { $0 >= wrap }
        return subject.media.compactMap { entry -> Violation? in
            let mapped = entry.subject.segments.filter { $0.subtitles?.map != nil }
            if let segment = mapped.first(where: { $0.subtitles?.exceedsClock == true }) {
                let text = segment.subtitles?.mapText ?? ""
                let message: Message =
                    "MPEGTS of X-TIMESTAMP-MAP exceeds 33 bits (\(value: text)); players read it differently"
                return Violation(entry.subject.place(segment), message)
            }
            guard let far, let segment = mapped.first else { return nil }
            let message: Message =
                "the media starts at \(DisplayText.seconds(far)), beyond the 33 bits of X-TIMESTAMP-MAP; players differ"
            return Violation(entry.subject.place(segment), message)
        }
    }

    static let origin = Check<MultivariantSubject>(
        Rule(
            "webvtt-origin",
            in: .timeline,
            clauses: "own",
            .advice,
            requires: "in VOD, cue times that count from LOCAL:00:00:00.000 begin with the media, within 0.1 s",
            fix:
                "write the first timestamp of the video into MPEGTS; FFmpeg's transport streams start at 1.4 s (126000) "
                + "or later"
        )
    ) { subject in
        // webvtt-time reports cues outside their segment.
        guard let start = start(subject), TimelineRules.subtitles.violations(subject).isEmpty else { return [] }
        return subject.media.compactMap { entry in
            let maps = entry.subject.segments.compactMap(\.subtitles).filter { $0.map != nil }
            guard entry.subject.playlist.hasEndList, let first = entry.subject.segments.first, first.number == 0,
                let facts = first.subtitles, let map = facts.map, maps.allSatisfy({ $0.map == map }),
                facts.mapText?.contains("LOCAL:00:00:00.000") == true,
                case let off = MediaLine.near(map - start), off.magnitude > Rational(1, 10)
            else { return nil }
            let side = off > .zero ? "after" : "before"
            let message: Message =
                "X-TIMESTAMP-MAP \(value: facts.mapText ?? "") shows all cues \(DisplayText.seconds(off.magnitude)) "
                + "\(side) their time, which counts from the start of the media at \(DisplayText.seconds(start))"
            return Violation(entry.subject.place(first), message)
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
        // The map has 33 bits, the media may have more.
        func timed(_ facts: SubtitleFacts?) -> [SubtitleFacts.Cue]? {
            facts?.timed?.map { cue in
                let start = border + MediaLine.near(cue.start - border)
                return SubtitleFacts.Cue(start, start + (cue.end - cue.start), text: cue.text)
            }
        }
        guard let before = timed(former.subtitles), let after = timed(next.subtitles) else { return nil }
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
