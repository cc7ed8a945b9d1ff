internal import SegueBase
internal import SeguePlaylists

/// The rules on I-frame playlists.
enum IFrameRules {
    static let all: [Check<MultivariantSubject>] = [uri, attributes, described, only]
    static let ofMedia: [Check<MediaSubject>] = [oneFrame]

    private static func tags(_ subject: MultivariantSubject) -> [(line: PlaylistDocument.Line, list: RawAttributes)] {
        subject.document.lists("#EXT-X-I-FRAME-STREAM-INF")
    }

    static let uri = Check<MultivariantSubject>(
        Rule(
            "iframe-uri",
            in: .multivariant,
            clauses: "R4.3.4.3, B4.4.6.3",
            .must,
            requires: "#EXT-X-I-FRAME-STREAM-INF has URI",
            fix: "add URI"
        )
    ) { subject in
        tags(subject).filter { $0.list["URI"] == nil }.map {
            Violation(subject.document.place(line: $0.line.number), "URI is missing")
        }
    }

    static let attributes = Check<MultivariantSubject>(
        Rule(
            "iframe-attributes",
            in: .multivariant,
            clauses: "R4.3.4.3, B4.4.6.3",
            .must,
            requires: "#EXT-X-I-FRAME-STREAM-INF has no FRAME-RATE, AUDIO, SUBTITLES, or CLOSED-CAPTIONS",
            fix: "remove the attribute"
        )
    ) { subject in
        tags(subject).flatMap { line, list in
            ["FRAME-RATE", "AUDIO", "SUBTITLES", "CLOSED-CAPTIONS"].filter { list[$0] != nil }.map {
                Violation(
                    subject.document.place(line: line.number),
                    "\($0) is not allowed on #EXT-X-I-FRAME-STREAM-INF"
                )
            }
        }
    }

    static let described = Check<MultivariantSubject>(
        Rule(
            "iframe-described",
            in: .multivariant,
            clauses: "A9.3, A9.4",
            .must,
            requires: "#EXT-X-I-FRAME-STREAM-INF has CODECS and RESOLUTION",
            fix: "add the attribute"
        )
    ) { subject in
        tags(subject).flatMap { line, list in
            ["CODECS", "RESOLUTION"].filter { list[$0] == nil }.map {
                Violation(subject.document.place(line: line.number), "\($0) is missing")
            }
        }
    }

    static let only = Check<MultivariantSubject>(
        Rule(
            "iframe-only",
            in: .multivariant,
            clauses: "R4.3.4.3, B4.4.6.3, A6.8",
            .must,
            requires: "an I-frame playlist has #EXT-X-I-FRAMES-ONLY",
            fix: "add #EXT-X-I-FRAMES-ONLY"
        )
    ) { subject in
        subject.iFrames.filter { $0.subject.document.media != nil && !$0.subject.playlist.isIFramesOnly }.map {
            Violation($0.subject.document.place(), "#EXT-X-I-FRAMES-ONLY is missing")
        }
    }

    static let oneFrame = Check<MediaSubject>(
        Rule(
            "iframe-picture",
            in: .multivariant,
            clauses: "R4.3.3.6, B4.4.3.6, A6.10",
            .must,
            requires: "each segment of an I-frame playlist is one I-frame and nothing else",
            fix: "correct the byte ranges of the I-frames"
        )
    ) { subject in
        guard subject.playlist.isIFramesOnly else { return [] }
        return subject.segments.compactMap { segment in
            guard segment.failure == nil else { return nil }
            let videoTracks = segment.tracks.filter { $0.kind == .video }
            // In a part of a multiplexed stream, audio packets may lie between those of the I-frame.
            let isPart =
                subject.playlist.segments.indices.contains(segment.number)
                && subject.playlist.segments[segment.number].byteRange != nil
            let others = segment.tracks.filter { $0.kind == .audio && $0.samples ?? 0 > 0 && !isPart }
            if let other = others.first {
                return Violation(subject.place(segment), "the segment contains \(other.codec) audio")
            }
            // A fragment may list samples beyond the byte range of the segment.
            let count = videoTracks.reduce(0) { $0 + ($1.wholeSamples ?? $1.samples ?? 1) }
            return count == 1
                ? nil : Violation(subject.place(segment), "the segment contains \(count) frames, expected 1")
        }
    }
}
