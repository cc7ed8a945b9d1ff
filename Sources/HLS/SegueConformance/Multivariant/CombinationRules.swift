internal import SegueBase
internal import SeguePlaylists

/// The rules on variants with their audio renditions.
enum CombinationRules {
    static let all: [Check<MultivariantSubject>] = [codecs, range]

    /// The media playlists of a variant's audio group.
    private static func audioTracks(_ variant: Variant, _ subject: MultivariantSubject) -> [MediaSubject] {
        guard let group = variant.audioGroup else { return [] }
        return subject.playlist.renditions(.audio, inGroup: group).compactMap { subject.subject($0.uri) }
    }

    private static func each(
        _ subject: MultivariantSubject,
        _ message: (Variant, MediaSubject, [MediaSubject]) -> Message?
    ) -> [Violation] {
        subject.playlist.variants.enumerated().compactMap { number, variant in
            guard let own = subject.subject(variant.uri) else { return nil }
            let audioTracks = audioTracks(variant, subject)
            guard !audioTracks.isEmpty else { return nil }
            return message(variant, own, audioTracks).map { Violation(subject.place(ofVariant: number), $0) }
        }
    }

    static let codecs = Check<MultivariantSubject>(
        Rule(
            "codecs-complete",
            in: .multivariant,
            clauses: "R6.2.4, R4.3.4.1.1, B6.2.4, B4.4.6.1.1",
            .must,
            requires: "CODECS names the formats of the variant's audio group",
            fix: "add the format to CODECS"
        )
    ) { subject in
        each(subject) { variant, _, audioTracks in
            guard !variant.codecs.isEmpty else { return nil }
            let missing = audioTracks.flatMap { $0.segments.first?.tracks ?? [] }.first { track in
                !variant.codecs.contains { CodecName.agree($0, track) }
            }
            return missing?.shown.map { "the audio is \($0), CODECS is \(variant.codecs.joined(separator: ","))" }
        }
    }

    static let range = Check<MultivariantSubject>(
        Rule(
            "same-range",
            in: .renditions,
            clauses: "R6.2.4, B6.2.4, A5.5, A8.3, A8.7",
            .must,
            requires: "the durations of renditions differ by at most one target duration",
            fix: "make all renditions cover the whole content"
        )
    ) { subject in
        let all = subject.media.map(\.subject).filter { $0.document.media?.hasEndList == true }
        guard let first = all.first else { return [] }
        let most = Rational(Int64(first.playlist.targetDuration))
        return all.dropFirst().compactMap { media in
            let (found, expected) = (media.playlist.duration, first.playlist.duration)
            guard max(found - expected, expected - found) > most else { return nil }
            return Violation(
                media.document.place(),
                Comparison(
                    "the rendition lasts",
                    found.seconds,
                    expected: .equal(expected.seconds),
                    unit: .seconds,
                    origin: "as another rendition"
                )
            )
        }
    }
}
