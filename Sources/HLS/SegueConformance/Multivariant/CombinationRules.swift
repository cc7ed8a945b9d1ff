internal import SegueBase
internal import SeguePlaylists

/// The rules on variants with their audio renditions.
enum CombinationRules {
    static let all: [Check<MultivariantSubject>] = [codecs, range, lengths]

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
            fix: "add the format to CODECS, or encode advertisements like the rest"
        )
    ) { subject in
        each(subject) { variant, _, audioTracks in
            guard !variant.codecs.isEmpty else { return nil }
            let missing = audioTracks.lazy.flatMap(\.segments).compactMap { segment -> (SegmentFacts, String)? in
                let other = segment.tracks.first { track in
                    (track.kind == .audio || track.kind == .video)
                        && !variant.codecs.contains { CodecName.agree($0, track) }
                }
                return other?.shown.map { (segment, $0) }
            }.first
            return missing.map { segment, codec in
                let place: Message = segment.number == 0 ? "" : " from segment \(segment.number) on"
                return "the audio is \(codec)\(place), CODECS is \(variant.codecs.joined(separator: ","))"
            }
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
        let iFrames = subject.iFrames.map(\.subject).filter {
            $0.document.media?.hasEndList == true && $0.playlist.isIFramesOnly
        }
        return (all.dropFirst() + iFrames).compactMap { media in
            let (found, expected) = (media.playlist.duration, first.playlist.duration)
            // I-frames may be farther apart than segments.
            let longest = media.playlist.isIFramesOnly ? media.playlist.segments.map(\.duration).max() : nil
            guard max(found - expected, expected - found) > max(most, longest ?? .zero) else { return nil }
            return Violation(
                media.document.place(),
                Comparison(
                    media.playlist.isIFramesOnly ? "the I-frame playlist covers" : "the rendition lasts",
                    found.seconds,
                    expected: .equal(expected.seconds),
                    unit: .seconds,
                    origin: "as another rendition"
                )
            )
        }
    }

    static let lengths = Check<MultivariantSubject>(
        Rule(
            "same-length",
            in: .renditions,
            clauses: "own",
            .advice,
            requires: "the audio of a finished presentation ends within 1 s of the video",
            fix: "pad the audio with silence, or cut it where the video ends"
        )
    ) { subject in
        let subtitles = subject.subtitleURIs
        let all = subject.media.filter { !subtitles.contains($0.uri) }.map(\.subject).filter(\.playlist.hasEndList)
        func hasVideo(_ media: MediaSubject) -> Bool {
            media.segments.contains { $0.tracks.contains { $0.kind == .video } }
        }
        guard let video = all.first(where: hasVideo) else { return [] }
        // same-range reports longer differences.
        let most = Rational(Int64(video.playlist.targetDuration))
        return all.filter { !$0.segments.isEmpty && !hasVideo($0) }.compactMap { media in
            let (found, expected) = (media.playlist.duration, video.playlist.duration)
            guard case let off = (found - expected).magnitude, off > Rational(1), off <= most else { return nil }
            let origin: Message = "as the video"
            return Violation(
                media.document.place(),
                Comparison(
                    "the audio lasts",
                    found.seconds,
                    expected: .equal(expected.seconds),
                    unit: .seconds,
                    origin: origin
                )
            )
        }
    }
}
