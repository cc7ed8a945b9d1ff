internal import SegueBase
internal import SeguePlaylists

/// The rules on the measured durations of segments.
enum DurationRules {
    static let all: [Check<MediaSubject>] = [durationTrue, durationExact, durationSum, durationBound]

    /// The range of a time that the bytes do not determine exactly.
    struct Between {
        var minimum: Rational
        var maximum: Rational

        init(_ minimum: Rational, _ maximum: Rational) { (self.minimum, self.maximum) = (minimum, maximum) }

        init(around time: Rational, tolerance: Rational) { self.init(time - tolerance, time + tolerance) }
    }

    /// A stated duration and the measured range.
    struct Measure {
        let segment: SegmentFacts
        let stated: Rational
        let length: Between
        /// The tolerance of a packager that measures: a millisecond, or a frame of audio, at which it cuts.
        let precision: Rational
        /// The tolerance of the specification: one frame.
        let tolerance: Rational

        /// The excess of the stated duration over the measured range beyond one frame; negative if it is below.
        var error: Rational { error(beyond: tolerance) }

        /// The same beyond the precision of a packager that measures; zero beyond one frame.
        var imprecision: Rational { error == .zero ? error(beyond: precision) : .zero }

        private func error(beyond tolerance: Rational) -> Rational {
            let (low, high) = (length.minimum - tolerance, length.maximum + tolerance)
            return stated > high ? stated - high : min(.zero, stated - low)
        }

        func comparison(_ subject: Message, _ origin: Message) -> Comparison {
            let measured = stated > length.maximum ? length.maximum : length.minimum
            return Comparison(
                subject,
                measured.seconds,
                expected: .equal(stated.seconds),
                unit: .seconds,
                origin: origin
            )
        }
    }

    /// One millisecond plus one tick of the transport stream clock.
    private static let tolerance = Rational(1, 1000) + Rational(1, 90_000)

    /// The duration of each segment: up to the start of the next one, or to its own end before a discontinuity.
    static func measured(_ subject: MediaSubject) -> [Measure] {
        let next = following(subject)
        let ends = Dictionary(
            next.compactMap { number, segment in
                subject.segments.first { $0.number == number }?.mainTrack.flatMap(end).map { (segment.number, $0) }
            },
            uniquingKeysWith: { first, _ in first }
        )
        let usual = usualFrame(subject)
        return subject.entries.compactMap { segment, entry in
            guard let main = segment.mainTrack, var start = start(segment, entry, in: subject),
                let end = end(segment, before: next[segment.number], in: subject)
            else { return nil }
            // In a gap of the content, the boundary may be anywhere.
            if let before = ends[segment.number], start.minimum - before.maximum > Rational(1, 10) {
                start.minimum = before.minimum
            }
            let allowed = max(frame(main), usual)
            return Measure(
                segment: segment,
                stated: entry.duration,
                length: length(from: start, to: end),
                precision: tolerance + (main.kind == .audio ? allowed : .zero),
                tolerance: tolerance + allowed
            )
        }
    }

    /// The duration of a frame in most segments, for those with a single one.
    private static func usualFrame(_ subject: MediaSubject) -> Rational {
        let frames = subject.segments.compactMap { $0.mainTrack.map { max(frame($0), $0.codedFrame) } }.sorted()
        return frames.isEmpty ? .zero : frames[frames.count / 2]
    }

    /// The duration of the whole playlist; nil with discontinuities or uninspected segments.
    static func whole(_ subject: MediaSubject) -> Measure? {
        let entries = subject.entries
        let stated = subject.playlist.duration
        guard let (first, entry) = entries.first, let (last, _) = entries.last, let main = last.mainTrack,
            entries.count == subject.playlist.segments.count, subject.playlist.hasEndList,
            !subject.playlist.isIFramesOnly, stated < Rational(36_000), !subject.hasWrap,
            subject.segments.allSatisfy({ $0.failure == nil }),
            !subject.playlist.segments.dropFirst().contains(where: \.startsDiscontinuity),
            let start = start(first, entry, in: subject), let end = end(last, before: nil, in: subject)
        else { return nil }
        let slack = tolerance + max(frame(main), usualFrame(subject))
        return Measure(
            segment: last,
            stated: stated,
            length: length(from: start, to: end),
            precision: slack,
            tolerance: slack
        )
    }

    private static func length(from start: Between, to end: Between) -> Between {
        let minimum = SegmentRules.unwrapped(end.minimum - start.maximum)
        let range = (end.maximum - end.minimum) + (start.maximum - start.minimum)
        return Between(minimum, minimum + range)
    }

    private static func following(_ subject: MediaSubject) -> [Int: SegmentFacts] {
        let entries = subject.playlist.segments
        let pairs = subject.consecutive.filter {
            !entries[$0.next.number].startsDiscontinuity && !subject.wraps($0.former, $0.next)
                && continues($0.former, $0.next)
        }
        return Dictionary(pairs.map { ($0.former.number, $0.next) }, uniquingKeysWith: { first, _ in first })
    }

    /// Returns false if the timestamps jump between two segments, so that the start of the next one is no end of the
    /// former; ts-continuous and tfdt-continuous report it.
    private static func continues(_ former: SegmentFacts, _ next: SegmentFacts) -> Bool {
        guard let last = former.mainTrack?.last, let start = next.mainTrack?.start else { return true }
        let step = MediaLine.near(start - last)
        return step > -Rational(1) && step < Rational(2)
    }

    private static func media(_ segment: SegmentFacts) -> [TrackFacts] {
        segment.tracks.filter { $0.kind == .video || $0.kind == .audio }
    }

    /// The start of a segment: that of its main track, or at the start of content that of any track, with encoder
    /// delay.
    private static func start(_ segment: SegmentFacts, _ entry: MediaSegment, in subject: MediaSubject) -> Between? {
        guard let main = segment.mainTrack?.start else { return nil }
        guard segment.number == 0 || entry.startsDiscontinuity else { return Between(main, main) }
        var start = Between(main, main)
        start.minimum = min(main, media(segment).compactMap(\.start).min() ?? main)
        // Audio content may start after up to three frames of encoder delay.
        if let audio = segment.mainTrack, audio.kind == .audio {
            start.maximum = main + min(frame(audio) * Rational(3), Rational(3, 10))
        }
        // Audio may start later than the video whose timeline it shares.
        if subject.isAudioOnly {
            let begun = segment.number == 0 ? subject.presentationStart.map { MediaLine.near(main - $0) } : nil
            let late = begun.map { max(.zero, min($0, entry.duration)) } ?? entry.duration
            start.minimum = min(start.minimum, main - late)
        }
        return start
    }

    private static func end(_ segment: SegmentFacts, before next: SegmentFacts?, in subject: MediaSubject) -> Between? {
        let entries = subject.playlist.segments
        if let next, let main = segment.mainTrack, let after = next.mainTrack, after.kind == main.kind,
            let start = after.start
        {
            // In a gap of the content, the boundary may be anywhere.
            guard !subject.playlist.isIFramesOnly, let own = end(main), start - own.maximum > Rational(1, 10) else {
                return Between(start, start)
            }
            return Between(own.minimum, start)
        }
        let following = segment.number + 1
        guard following >= entries.count || entries[following].startsDiscontinuity, !subject.playlist.isIFramesOnly,
            let (track, wide) = media(segment).compactMap({ track in end(track).map { (track, $0) } })
                .max(by: { $0.1.maximum < $1.1.maximum })
        else { return nil }
        var last = wide
        // The last audio frame may extend beyond the end of the video.
        if let main = segment.mainTrack.flatMap(end) {
            let own = segment.mainTrack.map(frame) ?? .zero
            last.minimum = max(
                min(main.minimum, last.minimum),
                last.minimum - min(max(frame(track), own), Rational(1, 10))
            )
        }
        let isShared = subject.isAudioOnly && following < entries.count
        return isShared ? Between(last.minimum, last.maximum + entries[segment.number].duration) : last
    }

    /// The end of a track; a range in transport streams, which do not state the duration of the last packet.
    private static func end(_ track: TrackFacts) -> Between? {
        guard let start = track.start else { return nil }
        if let duration = track.duration {
            // With uneven reordering, presentation and decoding end at different times.
            let (decoded, shown) = (start + duration, track.last.map { $0 + frame(track) } ?? start + duration)
            // Audio frames have one duration; a longer last one covers a gap in the content.
            if track.kind == .audio, let last = track.last, let samples = track.samples, samples > 2 {
                let usual = (last - start) / Rational(Int64(samples - 1))
                let end = last + usual
                if decoded - end > max(usual * Rational(2), Rational(1, 10)) { return Between(end, end) }
            }
            guard max(decoded - shown, shown - decoded) > frame(track) else { return Between(decoded, decoded) }
            return Between(min(decoded, shown), max(decoded, shown))
        }
        guard let last = track.last, let samples = track.samples, samples > 1 else { return nil }
        let step = (last - start) / Rational(Int64(samples - 1))
        return Between(around: last + step, tolerance: step)
    }

    /// The duration of a frame, in transport streams that of a packet; zero if it is unknown.
    private static func frame(_ track: TrackFacts) -> Rational {
        guard let samples = track.samples, samples > 1 else { return .zero }
        if let duration = track.duration { return duration / Rational(Int64(samples)) }
        guard let start = track.start, let last = track.last else { return .zero }
        return (last - start) / Rational(Int64(samples - 1))
    }

    static let durationTrue = Check<MediaSubject>(
        Rule(
            "duration-true",
            in: .mediaPlaylist,
            clauses: "A8.1",
            .must,
            requires: "#EXTINF equals the measured duration, within one frame",
            fix: "write the measured duration into #EXTINF; FFmpeg: do not set -hls_flags round_durations"
        )
    ) { subject in
        measured(subject).filter { $0.error != .zero }.map {
            Violation(subject.place($0.segment), $0.comparison("the segment measures", "by #EXTINF"))
        }
    }

    static let durationExact = Check<MediaSubject>(
        Rule(
            "duration-exact",
            in: .mediaPlaylist,
            clauses: "own",
            .advice,
            requires: "#EXTINF equals the measured duration of video, within 1 ms",
            fix: "write the measured duration into #EXTINF, with six decimals"
        )
    ) { subject in
        measured(subject).filter { $0.imprecision != .zero }.map {
            Violation(subject.place($0.segment), $0.comparison("the segment measures", "by #EXTINF"))
        }
    }

    static let durationSum = Check<MediaSubject>(
        Rule(
            "duration-sum",
            in: .mediaPlaylist,
            clauses: "A8.1",
            .must,
            requires: "the sum of #EXTINF is the duration of the content, within one frame",
            fix: "write the measured durations into #EXTINF; FFmpeg: do not set -hls_flags round_durations"
        )
    ) { subject in
        // duration-true reports single segments.
        guard let measure = whole(subject), measure.error != .zero, measured(subject).allSatisfy({ $0.error == .zero })
        else { return [] }
        return [
            Violation(subject.document.place(), measure.comparison("the content measures", "by the sum of #EXTINF"))
        ]
    }

    static let durationBound = Check<MediaSubject>(
        Rule(
            "duration-bound",
            in: .mediaPlaylist,
            clauses: "A7.7",
            .must,
            requires: "no segment measures more than 0.5 s above the target duration",
            fix: "raise #EXT-X-TARGETDURATION, or cut shorter segments"
        )
    ) { subject in
        let limit = Rational(Int64(subject.playlist.targetDuration)) + Rational(1, 2)
        return measured(subject).filter { $0.length.minimum - $0.precision + tolerance > limit }.map {
            Violation(
                subject.place($0.segment),
                Comparison(
                    "the segment measures",
                    $0.length.minimum.seconds,
                    expected: .atMost(limit.seconds),
                    unit: .seconds,
                    origin: "(target duration + 0.5 s)"
                )
            )
        }
    }
}
