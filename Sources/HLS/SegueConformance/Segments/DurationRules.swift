internal import SegueBase
internal import SeguePlaylists

/// The rules on how long segments are, by their own timestamps.
enum DurationRules {
    static let all: [Check<MediaSubject>] = [durationTrue, durationSum, durationBound]

    /// Between what a time lies, as far as the bytes tell.
    struct Between {
        var least: Rational
        var greatest: Rational

        init(_ least: Rational, _ greatest: Rational) { (self.least, self.greatest) = (least, greatest) }

        /// A time known to within so much.
        init(around time: Rational, _ doubt: Rational) { self.init(time - doubt, time + doubt) }
    }

    /// How long something is by its timestamps.
    struct Measure {
        let segment: SegmentFacts
        let said: Rational
        let length: Between

        /// By how much too much is said; below zero, too little.
        var error: Rational { said > length.greatest ? said - length.greatest : min(.zero, said - length.least) }
    }

    /// A millisecond, and a tick of the clock of transport streams.
    private static let tolerance = Rational(1, 1000) + Rational(1, 90_000)

    /// How long each segment is: until the next begins, where it goes on, else to its own end.
    static func measured(_ subject: MediaSubject) -> [Measure] {
        let next = following(subject)
        let ends = Dictionary(
            next.compactMap { number, segment in
                subject.segments.first { $0.number == number }?.mainTrack.flatMap(end).map { (segment.number, $0) }
            },
            uniquingKeysWith: { first, _ in first }
        )
        return subject.entries.compactMap { segment, entry in
            guard let main = segment.mainTrack, var start = start(segment, entry, subject),
                let end = end(segment, next[segment.number], subject)
            else { return nil }
            // Where the content has a hole, the border may be anywhere in it.
            if let before = ends[segment.number], start.least - before.greatest > Rational(1, 10) {
                start.least = before.least
            }
            let doubt = tolerance + (main.kind == .audio ? frame(main) : .zero)
            return Measure(segment: segment, said: entry.duration, length: length(start, end, doubt))
        }
    }

    /// How long the whole is, where it is in one piece and all of it was looked into.
    static func whole(_ subject: MediaSubject) -> Measure? {
        let entries = subject.entries
        let said = subject.playlist.duration
        guard let (first, entry) = entries.first, let (last, _) = entries.last, let main = last.mainTrack,
            entries.count == subject.playlist.segments.count, subject.playlist.hasEndList,
            !subject.playlist.isIFramesOnly, said < Rational(36_000),
            subject.segments.allSatisfy({ $0.failure == nil }),
            !subject.playlist.segments.dropFirst().contains(where: \.startsDiscontinuity),
            let start = start(first, entry, subject), let end = end(last, nil, subject)
        else { return nil }
        return Measure(segment: last, said: said, length: length(start, end, tolerance + frame(main)))
    }

    private static func length(_ start: Between, _ end: Between, _ doubt: Rational) -> Between {
        let least = SegmentRules.unwrapped(end.least - start.greatest)
        return Between(least - doubt, least + (end.greatest - end.least) + (start.greatest - start.least) + doubt)
    }

    private static func following(_ subject: MediaSubject) -> [Int: SegmentFacts] {
        let entries = subject.playlist.segments
        let pairs = subject.consecutive.filter { !entries[$0.next.number].startsDiscontinuity }
        return Dictionary(pairs.map { ($0.former.number, $0.next) }, uniquingKeysWith: { first, _ in first })
    }

    private static func media(_ segment: SegmentFacts) -> [TrackFacts] {
        segment.tracks.filter { $0.kind == .video || $0.kind == .audio }
    }

    /// When a segment begins: with its main track, and where content begins, with any, an encoder's delay included.
    private static func start(_ segment: SegmentFacts, _ entry: MediaSegment, _ subject: MediaSubject) -> Between? {
        guard let main = segment.mainTrack?.start else { return nil }
        guard segment.number == 0 || entry.startsDiscontinuity else { return Between(main, main) }
        var start = Between(main, main)
        start.least = min(main, media(segment).compactMap(\.start).min() ?? main)
        // Up to three frames of an encoder's delay come before the content of sound.
        if let sound = segment.mainTrack, sound.kind == .audio {
            start.greatest = main + min(frame(sound) * Rational(3), Rational(3, 10))
        }
        // Sound may begin later than the film whose timeline it shares.
        if subject.isSoundAlone { start.least = min(start.least, main - entry.duration) }
        return start
    }

    private static func end(_ segment: SegmentFacts, _ next: SegmentFacts?, _ subject: MediaSubject) -> Between? {
        let entries = subject.playlist.segments
        if let next, let main = segment.mainTrack, let after = next.mainTrack, after.kind == main.kind,
            let start = after.start
        {
            // Where the content has a hole, the border may be anywhere in it.
            guard !subject.playlist.isIFramesOnly, let own = end(main), start - own.greatest > Rational(1, 10) else {
                return Between(start, start)
            }
            return Between(own.least, start)
        }
        let following = segment.number + 1
        guard following >= entries.count || entries[following].startsDiscontinuity, !subject.playlist.isIFramesOnly,
            let (track, wide) = media(segment).compactMap({ track in end(track).map { (track, $0) } })
                .max(by: { $0.1.greatest < $1.1.greatest })
        else { return nil }
        var last = wide
        // Sound is whole frames, the last of which may go on when the picture has ended.
        if let main = segment.mainTrack.flatMap(end) {
            last.least = max(min(main.least, last.least), last.least - min(frame(track), Rational(1, 10)))
        }
        let isShared = subject.isSoundAlone && following < entries.count
        return isShared ? Between(last.least, last.greatest + entries[segment.number].duration) : last
    }

    /// Where a track ends; a transport stream does not say how long its last packet's content is.
    private static func end(_ track: TrackFacts) -> Between? {
        guard let start = track.start else { return nil }
        if let duration = track.duration {
            // Where pictures are reordered unevenly, the last shown ends elsewhere than the last decoded.
            let (decoded, shown) = (start + duration, track.last.map { $0 + frame(track) } ?? start + duration)
            // A frame of sound has one length; a last one that lasts longer covers a hole in the content.
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
        return Between(around: last + step, step)
    }

    /// How long a frame is, or in a transport stream what is in a packet of it; zero where that is not known.
    private static func frame(_ track: TrackFacts) -> Rational {
        guard let samples = track.samples, samples > 1 else { return .zero }
        if let duration = track.duration { return duration / Rational(Int64(samples)) }
        guard let start = track.start, let last = track.last else { return .zero }
        return (last - start) / Rational(Int64(samples - 1))
    }

    private static func message(_ measure: Measure) -> String {
        let shown = measure.error > .zero ? measure.length.greatest : measure.length.least
        return "\(Shown.seconds(measure.said)), it measures \(Shown.seconds(shown)) "
            + "(\(Shown.milliseconds(measure.error)))"
    }

    /// The playlist says how long the segment is.
    static let durationTrue = Check<MediaSubject>(
        Rule("duration-true", "A8.1", .must, "#EXTINF is what the segment measures, within 1 ms; of sound, a frame")
    ) { subject in
        measured(subject).filter { $0.error != .zero }.map {
            Violation(subject.place($0.segment), "#EXTINF says \(message($0))")
        }
    }

    /// What the segments say does not add up to another length.
    static let durationSum = Check<MediaSubject>(
        Rule("duration-sum", "A8.1", .must, "the sum of #EXTINF is the content's length, within a frame")
    ) { subject in
        // What is wrong with one segment has been said of it.
        guard let measure = whole(subject), measure.error != .zero, measured(subject).allSatisfy({ $0.error == .zero })
        else { return [] }
        return [Violation(subject.document.place(), "the segments say \(message(measure))")]
    }

    /// No segment really is longer than announced.
    static let durationBound = Check<MediaSubject>(
        Rule("duration-bound", "A7.7", .must, "no segment measures over 0.5 s above the target duration")
    ) { subject in
        let most = Rational(Int64(subject.playlist.targetDuration)) + Rational(1, 2)
        return measured(subject).filter { $0.length.least + tolerance > most }.map {
            Violation(subject.place($0.segment), "it measures \(Shown.seconds($0.length.least))")
        }
    }
}
