internal import SegueBase
internal import SeguePlaylists

/// The rules that compare the times of video, audio, subtitles, and dates.
enum TimelineRules {
    static let ofMedia: [Check<MediaSubject>] = [together, drift, dates]
    static let all: [Check<MultivariantSubject>] = [line, sameDates, subtitles]

    static let together = Check<MediaSubject>(
        Rule(
            "sound-with-picture",
            in: .timeline,
            clauses: "own",
            .advice,
            requires: "audio and video of a segment start within 1 s of each other, and at the end stop within 1 s",
            fix: "align the audio and the video before packaging; FFmpeg: do not cut them apart with -ss and -itsoffset"
        )
    ) { subject in
        // After a wrap of one clock, the times of two tracks are not comparable; tfdt-continuous reports it.
        guard !subject.playlist.isIFramesOnly, !subject.hasWrap else { return [] }
        let entries = subject.playlist.segments
        return subject.entries.flatMap { segment, _ -> [Violation] in
            guard let video = segment.tracks.first(where: { $0.kind == .video }), let videoStart = video.start else {
                return []
            }
            let isLast =
                segment.number + 1 == entries.count
                ? subject.playlist.hasEndList
                : segment.number + 1 < entries.count && entries[segment.number + 1].startsDiscontinuity
            return segment.tracks.filter { $0.kind == .audio }.flatMap { audio -> [Violation] in
                guard let audioStart = audio.start else { return [] }
                var messages: [Message] = []
                let begin = MediaLine.near(audioStart - videoStart)
                if begin.magnitude > Rational(1) { messages.append("the audio starts \(side(begin)) the video") }
                if isLast, let last = audio.last ?? audio.duration.map({ audioStart + $0 }), let end = video.last,
                    case let late = MediaLine.near(last - end), late.magnitude > Rational(1),
                    begin.magnitude <= Rational(1)
                {
                    messages.append("the audio ends \(side(late)) the video")
                }
                return messages.map { Violation(subject.place(segment), $0) }
            }
        }
    }

    private static func side(_ time: Rational) -> Message {
        "\(DisplayText.seconds(time.magnitude)) \(time > .zero ? "after" : "before")"
    }

    static let drift = Check<MediaSubject>(
        Rule(
            "duration-drift",
            in: .timeline,
            clauses: "A8.1",
            .must,
            requires: "between discontinuities, the sum of #EXTINF follows the media timestamps",
            fix: "write the measured durations into #EXTINF, and do not stretch or drop media between segments"
        )
    ) { subject in
        // duration-sum and duration-true report the other cases. The sum of audio alone has the slack of its start.
        guard !subject.playlist.isIFramesOnly, !subject.hasWrap,
            subject.isAudioOnly || DurationRules.whole(subject) == nil,
            DurationRules.measured(subject).allSatisfy({ $0.error == .zero })
        else { return [] }
        return MediaLine(subject).runs.compactMap { run in
            let timed = run.filter { $0.start != nil }
            // Audio may start later than its first segment.
            let isAudio = timed.last?.segment.mainTrack?.kind == .audio
            guard let first = isAudio && timed.count > 2 ? timed[1] : timed.first, let last = timed.last,
                let begun = first.start, let end = last.start, case let stated = last.stated - first.stated,
                stated > .zero,
                last.segment.number - first.segment.number == timed.count - (isAudio && timed.count > 2 ? 2 : 1)
            else { return nil }
            // Only the clock of transport streams and packed audio wraps.
            let isWrapping = last.segment.layout != .fragmentedMP4
            let measured = isWrapping ? stated + MediaLine.near(end - begun - stated) : end - begun
            guard (measured - stated).magnitude > slack(last.segment.mainTrack) + Rational(1, 1000) else { return nil }
            return Violation(
                subject.place(last.segment),
                Comparison(
                    isAudio ? "the audio advances by" : "since the discontinuity, the media advance by",
                    measured.seconds,
                    expected: .equal(stated.seconds),
                    unit: .seconds,
                    origin: "by the sum of #EXTINF"
                )
            )
        }
    }

    /// The tolerance of a sum of durations: a frame of video, or a frame of audio at each end.
    private static func slack(_ track: TrackFacts?) -> Rational {
        guard track?.kind == .audio else { return track?.greatestStep ?? Rational(1, 20) }
        let frame = track?.codedFrame ?? .zero
        return frame > .zero ? frame * Rational(2) : Rational(1, 10)
    }

    private static func dates(_ subject: MediaSubject) -> [(point: MediaLine.Point, date: Rational)] {
        MediaLine(subject).points.compactMap { point in
            point.entry.programDateTime.flatMap { ISO8601Time($0)?.exactSeconds }.map { (point, $0) }
        }
    }

    static let dates = Check<MediaSubject>(
        Rule(
            "date-time-runs",
            in: .timeline,
            clauses: "R4.3.2.6",
            .should,
            requires: "#EXT-X-PROGRAM-DATE-TIME advances with #EXTINF, within 0.25 s",
            fix: "derive dates from the media time, not from the clock at writing"
        )
    ) { subject in
        let all = dates(subject)
        return zip(all, all.dropFirst()).compactMap { former, next in
            guard former.point.run == next.point.run else { return nil }
            let (dates, durations) = (next.date - former.date, next.point.stated - former.point.stated)
            guard (dates - durations).magnitude > Rational(1, 4) else { return nil }
            return Violation(
                subject.place(next.point.segment),
                Comparison(
                    "the date advances by",
                    dates.seconds,
                    expected: .equal(durations.seconds),
                    unit: .seconds,
                    origin: "by the sum of #EXTINF"
                )
            )
        }
    }

    static let line = Check<MultivariantSubject>(
        Rule(
            "same-line",
            in: .timeline,
            clauses: "R6.2.4, B6.2.4, A8.7",
            .must,
            requires: "the timestamps of renditions do not drift apart, within 0.2 s",
            fix:
                "encode all renditions with one clock; FFmpeg: one command with all outputs; -af aresample=async=1 for audio that drifts"
        )
    ) { subject in
        let lines = subject.media.map { ($0.subject, MediaLine($0.subject)) }
        guard let reference = lines.first(where: { pair in pair.1.points.contains { $0.offset != nil } }) else {
            return []
        }
        let isLive = !reference.0.playlist.hasEndList
        guard !isLive else { return [] }
        let known = reference.1.points
        return lines.filter { $0.0.document.url != reference.0.document.url }.compactMap { media, own in
            guard !media.hasWrap, !reference.0.hasWrap, let first = own.points.first(where: { $0.offset != nil }),
                let begun = first.offset,
                let beside = nearest(first, known), let zero = beside.offset, media.playlist.hasEndList
            else { return nil }
            let off = own.points.lazy.compactMap { point -> (SegmentFacts, Rational)? in
                guard point.run == first.run, let here = point.offset, let other = nearest(point, known)?.offset
                else { return nil }
                let off = MediaLine.near((here - begun) - (other - zero))
                return off.magnitude > Rational(1, 5) ? (point.segment, off) : nil
            }.first
            return off.map {
                let message: Message =
                    "the timestamps are \(side($0.1)) those of \(value: reference.0.document.url), "
                    + "with which they agreed at the start"
                return Violation(media.place($0.0), message)
            }
        }
    }

    /// The point of another rendition at the same time.
    private static func nearest(_ point: MediaLine.Point, _ points: [MediaLine.Point]) -> MediaLine.Point? {
        points.last { $0.run == point.run && $0.offset != nil && $0.stated <= point.stated + Rational(1, 10) }
    }

    static let sameDates = Check<MultivariantSubject>(
        Rule(
            "date-time-agrees",
            in: .timeline,
            clauses: "R6.2.4, B6.2.4",
            .must,
            requires: "dates map to the same media time in all playlists, within 0.25 s",
            fix: "derive the dates of all renditions from one clock"
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
            let message: Message = "the date of the same media time is \(side(off)) that of another rendition"
            return Violation(media.place(point.segment), message)
        }
    }

    static let subtitles = Check<MultivariantSubject>(
        Rule(
            "webvtt-time",
            in: .timeline,
            clauses: "B3.1.4",
            .must,
            requires: "X-TIMESTAMP-MAP places each cue within the time of its segment",
            fix:
                "correct X-TIMESTAMP-MAP: MPEGTS is the timestamp of the video at the cue time LOCAL; the first timestamp of FFmpeg's transport streams is 126000 (1.4 s) or later"
        )
    ) { subject in
        let lines = subject.media.map { MediaLine($0.subject) }
        guard let known = lines.first(where: { line in line.points.contains { $0.offset != nil } })?.points else {
            return []
        }
        return subject.media.flatMap { media -> [Violation] in
            let points = MediaLine(media.subject).points
            let cues = Dictionary(
                points.map { ($0.segment.number, $0.segment.subtitles?.timed ?? []) },
                uniquingKeysWith: { first, _ in first }
            )
            return points.compactMap { point in
                guard let own = cues[point.segment.number], let offset = nearest(point, known)?.offset else {
                    return nil
                }
                let shown = Shown(begin: point.stated + offset, length: point.entry.duration)
                let beside = [-1, 1].map { cues[point.segment.number + $0] }
                guard let far = own.first(where: { shown.distance(of: $0, beside: beside) != nil }) else { return nil }
                let map = point.segment.subtitles?.mapText.map { " \($0)" } ?? ""
                let cue: Message = "\(DisplayText.seconds(far.start)) to \(DisplayText.seconds(far.end))"
                let end = shown.begin + shown.length
                let message: Message =
                    "X-TIMESTAMP-MAP\(value: map) shows the cue \(value: far.text.prefix(40).debugDescription) from \(cue) "
                    + "of media time, its segment lasts from \(DisplayText.seconds(shown.begin)) to "
                    + "\(DisplayText.seconds(end))"
                return Violation(media.subject.place(point.segment), message)
            }
        }
    }

    /// The media time of a subtitle segment.
    private struct Shown {
        /// The tolerance for the durations of subtitle playlists, which may be rounded.
        private static let tolerance = Rational(1, 2)

        let begin: Rational
        let length: Rational

        /// The distance of a cue that lies outside; nil if it lies inside, or if an adjacent segment repeats it.
        ///
        /// - Parameters:
        ///   - cue: The cue in media time.
        ///   - beside: The cues of the previous and of the next segment; nil if they are unknown.
        /// - Returns: The distance in seconds, negative if the cue is early.
        func distance(of cue: SubtitleFacts.Cue, beside: [[SubtitleFacts.Cue]?]) -> Rational? {
            let late = MediaLine.near(cue.start - (begin + length))
            let early = MediaLine.near(cue.end - begin)
            let off = late > Self.tolerance ? late : early < -Self.tolerance ? early : .zero
            guard off != .zero else { return nil }
            let isNear = off.magnitude <= Rational(1) + length
            let neighbor = off > .zero ? beside[1] : beside[0]
            // A packager may repeat a cue in the adjacent segment; an unknown segment may contain it.
            guard isNear, neighbor?.contains(cue) ?? true else { return off }
            return nil
        }
    }
}
