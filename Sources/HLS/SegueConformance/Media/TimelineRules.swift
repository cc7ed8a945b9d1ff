internal import SegueBase
internal import SeguePlaylists

/// The rules on how times of picture, sound, subtitles and dates lie to one another.
enum TimelineRules {
    static let ofMedia: [Check<MediaSubject>] = [together, drift, dates]
    static let all: [Check<MultivariantSubject>] = [line, sameDates, subtitles]

    /// Sound and picture of a segment begin at the same time, and end so where the content ends.
    static let together = Check<MediaSubject>(
        Rule(
            "sound-with-picture",
            "own",
            .advice,
            "sound and picture of a segment begin within 1 s, and end so at the end"
        )
    ) { subject in
        guard !subject.playlist.isIFramesOnly else { return [] }
        let entries = subject.playlist.segments
        return subject.entries.flatMap { segment, _ -> [Violation] in
            guard let picture = segment.tracks.first(where: { $0.kind == .video }), let shown = picture.start else {
                return []
            }
            let isLast =
                segment.number + 1 == entries.count
                ? subject.playlist.hasEndList
                : segment.number + 1 < entries.count && entries[segment.number + 1].startsDiscontinuity
            return segment.tracks.filter { $0.kind == .audio }.flatMap { sound -> [Violation] in
                guard let heard = sound.start else { return [] }
                var words: [String] = []
                let begin = MediaLine.near(heard - shown)
                if begin.magnitude > Rational(1) { words.append("its sound begins \(side(begin)) its picture") }
                if isLast, let last = sound.last ?? sound.duration.map({ heard + $0 }), let end = picture.last,
                    case let late = MediaLine.near(last - end), late.magnitude > Rational(1),
                    begin.magnitude <= Rational(1)
                {
                    words.append("its sound ends \(side(late)) its picture")
                }
                return words.map { Violation(subject.place(segment), $0) }
            }
        }
    }

    private static func side(_ time: Rational) -> String {
        "\(Shown.seconds(time.magnitude)) \(time > .zero ? "after" : "before")"
    }

    /// Playlist and media keep the same time, between two discontinuities as over the whole.
    static let drift = Check<MediaSubject>(
        Rule("duration-drift", "A8.1", .must, "between discontinuities the sum of #EXTINF keeps to the media's time")
    ) { subject in
        // Where the whole is measured, or a segment is, what is wrong has been said.
        guard !subject.playlist.isIFramesOnly, DurationRules.whole(subject) == nil,
            DurationRules.measured(subject).allSatisfy({ $0.error == .zero })
        else { return [] }
        return MediaLine(subject).runs.compactMap { run in
            guard let first = run.first(where: { $0.start != nil }), let last = run.last(where: { $0.start != nil }),
                let begun = first.start, let end = last.start, case let said = last.said - first.said, said > .zero,
                last.segment.number - first.segment.number == run.filter({ $0.start != nil }).count - 1
            else { return nil }
            let off = MediaLine.near(end - begun) - said
            let isSound = last.segment.mainTrack?.kind == .audio
            let slack = isSound ? Rational(1, 10) : last.segment.mainTrack?.greatestStep ?? Rational(1, 20)
            guard off.magnitude > slack + Rational(1, 1000) else { return nil }
            let parts = Int64(reckoned: off.seconds / said.seconds * 1_000_000)
            let message = "in \(Shown.seconds(said)) the media run \(Shown.milliseconds(off)) off (\(parts) ppm)"
            return Violation(subject.place(last.segment), message)
        }
    }

    private static func dates(_ subject: MediaSubject) -> [(point: MediaLine.Point, date: Rational)] {
        MediaLine(subject).points.compactMap { point in
            point.entry.programDateTime.flatMap { ISO8601Time($0)?.exactSeconds }.map { (point, $0) }
        }
    }

    /// Dates go on as durations do.
    static let dates = Check<MediaSubject>(
        Rule(
            "date-time-runs",
            "R4.3.2.6",
            .should,
            "#EXT-X-PROGRAM-DATE-TIME runs on as #EXTINF does, within 0.25 s"
        )
    ) { subject in
        let all = dates(subject)
        return zip(all, all.dropFirst()).compactMap { former, next in
            guard former.point.run == next.point.run else { return nil }
            let off = next.date - former.date - (next.point.said - former.point.said)
            guard off.magnitude > Rational(1, 4) else { return nil }
            return Violation(
                subject.place(next.point.segment),
                "the date is \(Shown.milliseconds(off)) off the durations"
            )
        }
    }

    /// The place of a rendition beside the first, segment by segment.
    static let line = Check<MultivariantSubject>(
        Rule("same-line", "R6.2.4, B6.2.4, A8.7", .must, "renditions keep to one timeline, within 0.2 s, to their end")
    ) { subject in
        let lines = subject.media.map { ($0.subject, MediaLine($0.subject)) }
        guard let reference = lines.first(where: { pair in pair.1.points.contains { $0.offset != nil } }) else {
            return []
        }
        let isLive = !reference.0.playlist.hasEndList
        guard !isLive else { return [] }
        let known = reference.1.points
        return lines.filter { $0.0.document.url != reference.0.document.url }.compactMap { media, own in
            guard let first = own.points.first(where: { $0.offset != nil }), let begun = first.offset,
                let beside = nearest(first, known), let zero = beside.offset, media.playlist.hasEndList
            else { return nil }
            let off = own.points.lazy.compactMap { point -> (SegmentFacts, Rational)? in
                guard point.run == first.run, let here = point.offset, let other = nearest(point, known)?.offset
                else { return nil }
                let off = MediaLine.near(here - begun) - MediaLine.near(other - zero)
                return off.magnitude > Rational(1, 5) ? (point.segment, off) : nil
            }.first
            return off.map {
                Violation(media.place($0.0), "it has moved \(Shown.milliseconds($0.1)) against another rendition")
            }
        }
    }

    /// The point of another rendition at the same time.
    private static func nearest(_ point: MediaLine.Point, _ points: [MediaLine.Point]) -> MediaLine.Point? {
        points.last { $0.run == point.run && $0.offset != nil && $0.said <= point.said + Rational(1, 10) }
    }

    /// One date for one time.
    static let sameDates = Check<MultivariantSubject>(
        Rule(
            "date-time-agrees",
            "R6.2.4, B6.2.4",
            .must,
            "dates stand for the same media time in all playlists, within 0.25 s"
        )
    ) { subject in
        let all = subject.media.map(\.subject).compactMap { media -> (MediaSubject, MediaLine.Point, Rational)? in
            guard let (point, date) = dates(media).first(where: { $0.point.start != nil }), let start = point.start
            else { return nil }
            return (media, point, date - start)
        }
        guard let first = all.first else { return [] }
        return all.dropFirst().compactMap { media, point, zero in
            let off = MediaLine.near(zero - first.2)
            guard point.run == first.1.run, off.magnitude > Rational(1, 4) else { return nil }
            let message = "by its date it is \(Shown.milliseconds(off)) off another rendition"
            return Violation(media.place(point.segment), message)
        }
    }

    /// Subtitles lie where their segments do.
    static let subtitles = Check<MultivariantSubject>(
        Rule(
            "webvtt-time",
            "B3.1.4",
            .must,
            "cues lie on the media's clock by X-TIMESTAMP-MAP, in the time of their segment"
        )
    ) { subject in
        let pictures = subject.media.map { MediaLine($0.subject) }
        guard let known = pictures.first(where: { line in line.points.contains { $0.offset != nil } })?.points else {
            return []
        }
        return subject.media.flatMap { media -> [Violation] in
            MediaLine(media.subject).points.compactMap { point in
                guard let cues = point.segment.subtitles?.timed, let offset = nearest(point, known)?.offset else {
                    return nil
                }
                let (begin, end) = (point.said + offset, point.said + offset + point.entry.duration)
                // A packager may put a cue into the segments beside its own, too.
                let slack = Rational(1) + point.entry.duration
                let far = cues.lazy.compactMap { cue -> Rational? in
                    let (late, early) = (MediaLine.near(cue.start - end), MediaLine.near(cue.end - begin))
                    return late > slack ? late : early < -slack ? early : nil
                }.first
                return far.map {
                    let message =
                        "a cue is shown \(Shown.seconds($0.magnitude)) \($0 > .zero ? "after" : "before") its segment"
                    return Violation(media.subject.place(point.segment), message)
                }
            }
        }
    }
}
