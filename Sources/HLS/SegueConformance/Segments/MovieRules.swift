internal import SegueBase
internal import SeguePlaylists

/// The rules on fragmented MP4.
enum MovieRules {
    static let all: [Check<MediaSubject>] = [readable, continuous, durations, brand, samples, extends, hasTracks]

    /// The initialization is one.
    static let readable = Check<MediaSubject>(
        Rule("init-readable", "R3.3", .must, "each #EXT-X-MAP names an initialization section")
    ) { subject in
        subject.initializations.compactMap { facts in facts.failure.map { Violation(Place(url: facts.url), $0) } }
    }

    /// The initializations that are movies: those of transport streams have nothing but tables.
    private static func read(_ subject: MediaSubject) -> [InitializationFacts] {
        subject.initializations.filter { $0.failure == nil && $0.inspection?.layout != .transportStream }
    }

    /// Each fragment begins where the last ended.
    static let continuous = Check<MediaSubject>(
        Rule("tfdt-continuous", "A7.3", .must, "each track's tfdt is the last one's plus its durations")
    ) { subject in
        subject.neighbours.flatMap { former, next -> [Violation] in
            guard former.layout == .fragmentedMP4, next.layout == .fragmentedMP4 else { return [] }
            return next.tracks.compactMap { track in
                guard let before = former.tracks.first(where: { $0.number == track.number }),
                    let begun = before.decodeStart, let duration = before.duration, let start = track.decodeStart,
                    case let gap = start - begun - duration, gap != .zero
                else { return nil }
                let message =
                    "track \(track.number) (\(track.codec)) begins \(Shown.milliseconds(gap)) off the end before it"
                return Violation(subject.place(next), message)
            }
        }
    }

    /// Each sample takes time.
    static let durations = Check<MediaSubject>(
        Rule("sample-durations", "B3.1.2", .must, "no sample has a duration of zero")
    ) { subject in
        subject.segments.flatMap { segment in
            segment.tracks.filter { $0.zeroDurations > 0 }.map {
                Violation(subject.place(segment), "track \($0.number) has \($0.zeroDurations) samples without duration")
            }
        }
    }

    /// The file type is new enough for fragments.
    static let brand = Check<MediaSubject>(
        Rule("init-brand", "R3.3, B3.1.2", .must, "the initialization has the brand iso6 or one that includes it")
    ) { subject in
        let enough: Set<String> = ["iso6", "iso7", "iso8", "iso9", "isoa", "isob", "isoc", "cmfc", "cmf2", "cmfs"]
        return read(subject).filter { enough.isDisjoint(with: $0.brands) }.map {
            Violation(Place(url: $0.url), "its brands are \($0.brands.joined(separator: ", "))")
        }
    }

    /// An initialization has no media.
    static let samples = Check<MediaSubject>(
        Rule("init-samples", "R3.3, B3.1.2", .must, "the initialization has no samples")
    ) { subject in
        read(subject).filter { $0.samples > 0 }.map { Violation(Place(url: $0.url), "it has \($0.samples) samples") }
    }

    /// An initialization says that fragments follow.
    static let extends = Check<MediaSubject>(
        Rule("init-mvex", "R3.3, B3.1.2", .must, "the initialization has a movie extends box")
    ) { subject in
        read(subject).filter { !$0.hasMovieExtends }.map { Violation(Place(url: $0.url), "it has no mvex box") }
    }

    /// All that is announced comes.
    static let hasTracks = Check<MediaSubject>(
        Rule("init-tracks", "own", .advice, "each track of the initialization comes in some segment")
    ) { subject in
        guard subject.initializations.count == 1, let facts = read(subject).first, !subject.segments.isEmpty,
            subject.segments.count == subject.playlist.segments.count
        else { return [] }
        let seen = Set(subject.segments.flatMap { $0.tracks.map(\.number) })
        return facts.tracks.filter { !seen.contains($0.number) }.map {
            Violation(Place(url: facts.url), "track \($0.number) (\($0.codec)) comes in no segment")
        }
    }
}
