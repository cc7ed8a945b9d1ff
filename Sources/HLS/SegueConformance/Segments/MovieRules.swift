internal import SegueBase
internal import SeguePlaylists

/// The rules on fragmented MP4.
enum MovieRules {
    static let all: [Check<MediaSubject>] = [
        readable, continuous, durations, brand, samples, extends, hasTracks, audioClock,
    ]

    static let readable = Check<MediaSubject>(
        Rule(
            "init-readable",
            in: .segments,
            clauses: "R3.3",
            .must,
            requires: "each #EXT-X-MAP names an initialization section",
            fix: "correct the URI or the byte range of the map"
        )
    ) { subject in
        subject.initializations.compactMap { facts in facts.failure.map { Violation(Place(url: facts.url), $0) } }
    }

    /// The readable initialization sections in MP4; those of transport streams contain only tables.
    private static func read(_ subject: MediaSubject) -> [InitializationFacts] {
        subject.initializations.filter { $0.failure == nil && $0.inspection?.layout != .transportStream }
    }

    static let continuous = Check<MediaSubject>(
        Rule(
            "tfdt-continuous",
            in: .segments,
            clauses: "A7.3",
            .must,
            requires: "each track's tfdt equals the previous tfdt plus its sample durations",
            fix: "continue the decode times from fragment to fragment, in version 1 of tfdt, which has 64 bits",
            players: .breaks(
                "Chromium and GStreamer stop, mpv stalls or ends early, and VLC plays; 20 ms are played by all",
                source: "measured (docs/breaks.md)"
            )
        )
    ) { subject in
        subject.neighbours.flatMap { former, next -> [Violation] in
            guard former.layout == .fragmentedMP4, next.layout == .fragmentedMP4 else { return [] }
            return next.tracks.compactMap { track in
                guard let before = former.tracks.first(where: { $0.number == track.number }),
                    let begun = before.decodeStart, let duration = before.duration, let start = track.decodeStart,
                    case let gap = start - begun - duration, gap != .zero
                else { return nil }
                if let scale = subject.timeScale(ofTrack: track.number), subject.wraps(former, next) {
                    let message: Message =
                        "the tfdt of track \(track.number) (\(track.codec)) wraps at 2^32 ticks, \(DisplayText.seconds(Rational(1 << 32, scale))) at a timescale of \(scale)"
                    return Violation(subject.place(next), message)
                }
                return Violation(
                    subject.place(next),
                    Comparison(
                        "the tfdt of track \(track.number) (\(track.codec)) is",
                        start.seconds,
                        expected: .equal((begun + duration).seconds),
                        unit: .seconds,
                        origin: "by the previous fragment"
                    )
                )
            }
        }
    }

    static let durations = Check<MediaSubject>(
        Rule(
            "sample-durations",
            in: .segments,
            clauses: "B3.1.2",
            .must,
            requires: "no sample has zero duration",
            fix: "write the sample durations"
        )
    ) { subject in
        subject.segments.flatMap { segment in
            segment.tracks.filter { $0.zeroDurations > 0 }.map {
                Violation(subject.place(segment), "track \($0.number) has \($0.zeroDurations) samples of zero duration")
            }
        }
    }

    static let brand = Check<MediaSubject>(
        Rule(
            "init-brand",
            in: .segments,
            clauses: "R3.3, B3.1.2",
            .must,
            requires: "the initialization section has the brand iso6 or a later one",
            fix: "add iso6 to the compatible brands"
        )
    ) { subject in
        let enough: Set<String> = ["iso6", "iso7", "iso8", "iso9", "isoa", "isob", "isoc", "cmfc", "cmf2", "cmfs"]
        return read(subject).filter { enough.isDisjoint(with: $0.brands) }.map {
            Violation(Place(url: $0.url), "the brands are \($0.brands.joined(separator: ", ")), expected iso6 or later")
        }
    }

    static let samples = Check<MediaSubject>(
        Rule(
            "init-samples",
            in: .segments,
            clauses: "R3.3, B3.1.2",
            .must,
            requires: "the initialization section has no samples",
            fix: "write empty sample tables"
        )
    ) { subject in
        read(subject).filter { $0.samples > 0 }.map {
            Violation(Place(url: $0.url), "the initialization section has \($0.samples) samples, expected 0")
        }
    }

    static let extends = Check<MediaSubject>(
        Rule(
            "init-mvex",
            in: .segments,
            clauses: "R3.3, B3.1.2",
            .must,
            requires: "the initialization section has an mvex box",
            fix: "add mvex"
        )
    ) { subject in
        read(subject).filter { !$0.hasMovieExtends }.map {
            Violation(Place(url: $0.url), "the initialization section has no mvex box")
        }
    }

    static let hasTracks = Check<MediaSubject>(
        Rule(
            "init-tracks",
            in: .segments,
            clauses: "own",
            .advice,
            requires: "each track of the initialization section occurs in a segment",
            fix: "remove the unused track"
        )
    ) { subject in
        guard subject.initializations.count == 1, let facts = read(subject).first, !subject.segments.isEmpty,
            subject.segments.count == subject.playlist.segments.count
        else { return [] }
        let seen = Set(subject.segments.flatMap { $0.tracks.map(\.number) })
        return facts.tracks.filter { !seen.contains($0.number) }.map {
            Violation(Place(url: facts.url), "track \($0.number) (\($0.codec)) occurs in no segment")
        }
    }

    static let audioClock = Check<MediaSubject>(
        Rule(
            "audio-timescale",
            in: .fragmentedMP4,
            clauses: "own",
            .advice,
            requires:
                "the timescale of an audio track is a multiple of its sample rate, so that each sample has a time",
            fix: "write the sample rate as timescale into mdhd; FFmpeg and Shaka Packager do so by default"
        )
    ) { subject in
        read(subject).flatMap { facts -> [Violation] in
            guard facts.tracks.allSatisfy({ $0.kind != .video }) else { return [] }
            return facts.tracks.compactMap { track in
                guard track.kind == .audio, let rate = track.setup?.sampleRate, rate > 0,
                    let scale = subject.timeScale(ofTrack: track.number), scale % Int64(rate) != 0
                else { return nil }
                let message: Message =
                    "the timescale of track \(track.number) (\(track.codec)) is \(scale), the sample rate is \(rate) Hz"
                return Violation(Place(url: facts.url), message)
            }
        }
    }
}

extension MediaSubject {
    /// The timescale of a track by the initialization sections; nil if it is unknown.
    func timeScale(ofTrack number: Int) -> Int64? {
        initializations.lazy.compactMap { facts in
            facts.inspection?.tracks.first { $0.number == number }?.initialization?.timeScale
        }.first { $0 > 0 }
    }

    /// Returns true if the tfdt of a track wraps at 32 bits between two segments.
    func wraps(_ former: SegmentFacts, _ next: SegmentFacts) -> Bool {
        guard former.layout == .fragmentedMP4, next.layout == .fragmentedMP4 else { return false }
        return next.tracks.contains { track in
            guard let begun = former.tracks.first(where: { $0.number == track.number })?.decodeStart,
                let start = track.decodeStart, start < begun, let scale = timeScale(ofTrack: track.number)
            else { return false }
            return (begun - start - Rational(1 << 32, scale)).magnitude < Rational(60)
        }
    }

    /// True if the tfdt of a track wraps at 32 bits, so that times before and after are not comparable.
    var hasWrap: Bool { neighbours.contains { wraps($0.former, $0.next) } }
}
