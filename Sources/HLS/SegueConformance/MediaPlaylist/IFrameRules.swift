internal import SeguePlaylists

/// The rules on playlists of I-frames alone.
enum IFrameRules {
    static let all: [Check<MultivariantSubject>] = [uri, attributes, described, only]
    static let ofMedia: [Check<MediaSubject>] = [picture]

    private static func tags(_ subject: MultivariantSubject) -> [(line: PlaylistDocument.Line, list: RawAttributes)] {
        subject.document.lists("#EXT-X-I-FRAME-STREAM-INF")
    }

    /// Each is somewhere.
    static let uri = Check<MultivariantSubject>(
        Rule("iframe-uri", "R4.3.4.3, B4.4.6.3", .must, "#EXT-X-I-FRAME-STREAM-INF has URI")
    ) { subject in
        tags(subject).filter { $0.list["URI"] == nil }.map {
            Violation(subject.document.place(line: $0.line.number), "it has no URI")
        }
    }

    /// It says nothing of what it cannot have.
    static let attributes = Check<MultivariantSubject>(
        Rule(
            "iframe-attributes",
            "R4.3.4.3, B4.4.6.3",
            .must,
            "#EXT-X-I-FRAME-STREAM-INF has no FRAME-RATE, AUDIO, SUBTITLES or CLOSED-CAPTIONS"
        )
    ) { subject in
        tags(subject).flatMap { line, list in
            ["FRAME-RATE", "AUDIO", "SUBTITLES", "CLOSED-CAPTIONS"].filter { list[$0] != nil }.map {
                Violation(subject.document.place(line: line.number), "it has \($0)")
            }
        }
    }

    /// It says what is in it.
    static let described = Check<MultivariantSubject>(
        Rule("iframe-described", "A9.3, A9.4", .must, "#EXT-X-I-FRAME-STREAM-INF has CODECS and RESOLUTION")
    ) { subject in
        tags(subject).flatMap { line, list in
            ["CODECS", "RESOLUTION"].filter { list[$0] == nil }.map {
                Violation(subject.document.place(line: line.number), "it has no \($0)")
            }
        }
    }

    /// What is announced as I-frames says so itself.
    static let only = Check<MultivariantSubject>(
        Rule("iframe-only", "R4.3.4.3, B4.4.6.3, A6.8", .must, "a playlist of I-frames has #EXT-X-I-FRAMES-ONLY")
    ) { subject in
        subject.iFrames.filter { $0.subject.document.media != nil && !$0.subject.playlist.isIFramesOnly }.map {
            Violation($0.subject.document.place(), "it has no #EXT-X-I-FRAMES-ONLY")
        }
    }

    /// Each segment is one picture and nothing else.
    static let picture = Check<MediaSubject>(
        Rule(
            "iframe-picture",
            "R4.3.3.6, B4.4.3.6, A6.10",
            .must,
            "each segment of I-frames is one picture and nothing else"
        )
    ) { subject in
        guard subject.playlist.isIFramesOnly else { return [] }
        return subject.segments.compactMap { segment in
            guard segment.failure == nil else { return nil }
            let pictures = segment.tracks.filter { $0.kind == .video }
            // In what is cut out of a stream with sound, packets of that may lie between those of the picture.
            let isPart =
                subject.playlist.segments.indices.contains(segment.number)
                && subject.playlist.segments[segment.number].byteRange != nil
            let others = segment.tracks.filter { $0.kind == .audio && $0.samples ?? 0 > 0 && !isPart }
            if let other = others.first { return Violation(subject.place(segment), "it has \(other.codec)") }
            // A fragment may list samples that are no longer in the part of it that is the segment.
            let count = pictures.reduce(0) { $0 + ($1.wholeSamples ?? $1.samples ?? 1) }
            return count == 1 ? nil : Violation(subject.place(segment), "it has \(count) pictures")
        }
    }
}
