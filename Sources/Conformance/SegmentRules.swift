internal import HLS
internal import Timeline

/// The rules on segments in any container.
enum SegmentRules {
    static let all: [Check<MediaSubject>] = [
        readable, durationTrue, durationBound, mapNeeded, rangeBounds, startsWithIDR, oneSound, container, soundAlone,
        discontinuity, timestampMap, packedTime,
    ]

    /// Each segment is of a format that HLS knows.
    static let readable = Check<MediaSubject>(
        Rule("segment-readable", "R3.1", .mustFix, "each segment is of a format that HLS knows")
    ) { subject in
        subject.segments.compactMap { segment in
            segment.failure.map { Violation(subject.place(segment), $0) }
        }
    }

    /// What a segment measures, and what may come of its last frame's not ending with it.
    struct Measure {
        let segment: SegmentFacts
        let entry: MediaSegment
        let length: Rational
        let tolerance: Rational
        /// How much less it may be than it measures.
        var doubt = Rational.zero
    }

    /// How long each segment is by its own timestamps: until the next begins, where it goes on, else to its own end.
    static func measured(_ subject: MediaSubject) -> [Measure] {
        let next = Dictionary(
            subject.neighbours.map { ($0.former.number, $0.next) },
            uniquingKeysWith: { first, _ in first }
        )
        let entries = subject.playlist.segments
        return subject.entries.compactMap { segment, entry in
            guard let main = segment.mainTrack else { return nil }
            let (end, doubt): (Rational, Rational)
            if let after = next[segment.number]?.mainTrack, after.kind == main.kind, let start = after.start {
                (end, doubt) = (start, .zero)
            } else {
                let following = segment.number + 1
                guard following >= entries.count || entries[following].startsDiscontinuity,
                    let last = segment.tracks.filter({ $0.kind == .video || $0.kind == .audio })
                        .compactMap(Self.end).max(by: { $0.time < $1.time })
                else { return nil }
                (end, doubt) = (last.time, last.doubt)
            }
            let lengths = starts(segment, entry).map { unwrapped(end - $0) }
            // Where content begins, sound may begin sooner than the picture, by the encoder's delay or by more.
            guard let length = lengths.min(by: { distance($0, entry.duration) < distance($1, entry.duration) }) else {
                return nil
            }
            let frame = frame(main) * Rational(segment.number == 0 ? 2 : 1)
            let tolerance = Rational(1, 1000) + Rational(1, 90_000) + frame + doubt
            return Measure(segment: segment, entry: entry, length: length, tolerance: tolerance, doubt: doubt)
        }
    }

    private static func distance(_ one: Rational, _ other: Rational) -> Rational { max(one - other, other - one) }

    /// When a segment may be said to begin: with its main track, and where content begins, with any.
    private static func starts(_ segment: SegmentFacts, _ entry: MediaSegment) -> [Rational] {
        let main = segment.mainTrack.flatMap(\.start).map { [$0] } ?? []
        guard segment.number == 0 || entry.startsDiscontinuity else { return main }
        return main + segment.tracks.filter { $0.kind == .video || $0.kind == .audio }.compactMap(\.start)
    }

    /// Where a track ends; a transport stream does not say how long its last packet's content is.
    private static func end(_ track: TrackFacts) -> (time: Rational, doubt: Rational)? {
        guard let start = track.start else { return nil }
        if let duration = track.duration { return (start + duration, .zero) }
        guard let last = track.last, let samples = track.samples, samples > 1 else { return nil }
        let step = (last - start) / Rational(Int64(samples - 1))
        return (last + step, step)
    }

    /// How long a frame of sound is, since sound is cut at its frames; zero for video.
    private static func frame(_ main: TrackFacts) -> Rational {
        guard main.kind == .audio, let samples = main.samples, samples > 1 else { return .zero }
        if let duration = main.duration { return duration / Rational(Int64(samples)) }
        guard let start = main.start, let last = main.last else { return .zero }
        return (last - start) / Rational(Int64(samples - 1))
    }

    /// A difference of times of a clock that may have wrapped at 33 bits of 90 kHz.
    static func unwrapped(_ difference: Rational) -> Rational {
        let wrap = Rational(1 << 33, 90_000)
        return difference < -(wrap / Rational(2)) ? difference + wrap : difference
    }

    /// The playlist says how long the segment is.
    static let durationTrue = Check<MediaSubject>(
        Rule("duration-true", "A8.1", .mustFix, "#EXTINF is what the segment measures, within 1 ms; of sound, a frame")
    ) { subject in
        measured(subject).compactMap { measure in
            let difference = measure.entry.duration - measure.length
            guard max(difference, -difference) > measure.tolerance else { return nil }
            let message =
                "#EXTINF says \(Shown.seconds(measure.entry.duration)), it measures \(Shown.seconds(measure.length)) "
                + "(\(Shown.milliseconds(difference)))"
            return Violation(subject.place(measure.segment), message)
        }
    }

    /// No segment really is longer than announced.
    static let durationBound = Check<MediaSubject>(
        Rule("duration-bound", "A7.7", .mustFix, "no segment measures over 0.5 s above the target duration")
    ) { subject in
        let most = Rational(Int64(subject.playlist.targetDuration)) + Rational(1, 2)
        return measured(subject).filter { $0.length - $0.doubt > most }.map {
            Violation(subject.place($0.segment), "it measures \(Shown.seconds($0.length))")
        }
    }

    /// Fragments need their initialization.
    static let mapNeeded = Check<MediaSubject>(
        Rule("map-needed", "B3.1.2, R3.3", .mustFix, "each fMP4 segment is covered by an #EXT-X-MAP")
    ) { subject in
        subject.entries.compactMap { segment, entry in
            guard segment.layout == .fragmentedMP4, entry.map == nil else { return nil }
            return Violation(subject.place(segment), "it is fragmented MP4 and has no #EXT-X-MAP")
        }
    }

    /// A byte range lies within its file.
    static let rangeBounds = Check<MediaSubject>(
        Rule("range-bounds", "R4.3.2.2", .mustFix, "byte ranges lie within their resources")
    ) { subject in
        subject.entries.compactMap { segment, entry in
            guard let range = entry.byteRange, segment.size != Int(range.length) else { return nil }
            let message = "bytes \(range.offset) and \(range.length) on gave \(segment.size) bytes"
            return Violation(subject.place(segment), message)
        }
    }

    /// Each segment of video can be decoded from its start.
    static let startsWithIDR = Check<MediaSubject>(
        Rule("starts-with-idr", "A7.4", .mustFix, "video in a segment begins with an IDR picture")
    ) { subject in
        subject.segments.filter { $0.startsWithIDR == false }.map {
            Violation(subject.place($0), "its first picture needs others before it")
        }
    }

    /// One sound a segment.
    static let oneSound = Check<MediaSubject>(
        Rule("one-sound", "A2.17", .mustFix, "a segment has at most one audio stream")
    ) { subject in
        subject.segments.compactMap { segment in
            let count = segment.tracks.count { $0.kind == .audio }
            return count > 1 ? Violation(subject.place(segment), "it has \(count) audio streams") : nil
        }
    }

    /// Newer codecs need the newer container.
    static let container = Check<MediaSubject>(
        Rule("codec-container", "A1.5", .mustFix, "HEVC, AV1, FLAC and ALAC come in fragmented MP4 only")
    ) { subject in
        subject.segments.filter { $0.layout == .transportStream }.compactMap { segment in
            let found = segment.tracks.first { ["hevc", "av1", "flac", "alac"].contains($0.codec) }
            return found.map { Violation(subject.place(segment), "\($0.codec) is in a transport stream") }
        }
    }

    /// Stripped is stripped.
    static let soundAlone = Check<MediaSubject>(
        Rule("sound-alone", "own", .mustFix, "a rendition of sound alone has no trace of video")
    ) { subject in
        guard subject.isSoundAlone else { return [] }
        let ofSegments = subject.segments.compactMap { segment in
            segment.tracks.first { $0.kind == .video }.map {
                Violation(subject.place(segment), "it has a track of \($0.codec)")
            }
        }
        let ofInitializations = subject.initializations.compactMap { facts in
            facts.tracks.first { $0.kind == .video }.map {
                Violation(Place(url: facts.url), "the initialization has a track of \($0.codec)")
            }
        }
        return ofInitializations + ofSegments
    }

    /// Where the coding changes, the playlist says so.
    static let discontinuity = Check<MediaSubject>(
        Rule(
            "discontinuity-needed",
            "R4.3.2.3, A8.13",
            .mustFix,
            "other codecs or tracks come after #EXT-X-DISCONTINUITY"
        )
    ) { subject in
        subject.neighbours.compactMap { former, next in
            let before = former.tracks.filter { $0.kind != .metadata }.map(\.codec).sorted()
            let after = next.tracks.filter { $0.kind != .metadata }.map(\.codec).sorted()
            guard former.layout != .fragmentedMP4, before != after else { return nil }
            let message = "it has \(after.joined(separator: ", ")) after \(before.joined(separator: ", "))"
            return Violation(subject.place(next), message)
        }
    }

    /// Subtitles say how their clock lies to the media's.
    static let timestampMap = Check<MediaSubject>(
        Rule("webvtt-map", "R3.5", .shouldFix, "a WebVTT segment has X-TIMESTAMP-MAP")
    ) { subject in
        subject.segments.filter { $0.hasTimestampMap == false }.map {
            Violation(subject.place($0), "it has no X-TIMESTAMP-MAP")
        }
    }

    /// Packed audio says when it is.
    static let packedTime = Check<MediaSubject>(
        Rule(
            "packed-audio-time",
            "R3.4, B3.1.3",
            .mustFix,
            "packed audio begins with an ID3 tag that has its timestamp"
        )
    ) { subject in
        subject.segments.filter { $0.layout == .packedAudio && $0.mainTrack?.start == nil }.map {
            Violation(subject.place($0), "no ID3 tag has its timestamp")
        }
    }
}
