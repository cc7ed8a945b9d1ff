internal import SegueBase
internal import SeguePlaylists

/// The rules on rendition groups and on renditions of the same content.
enum RenditionRules {
    static let all: [Check<MultivariantSubject>] = [
        groups, names, defaults, languages, targets, boundaries, discontinuities, starts,
    ]

    static let groups = Check<MultivariantSubject>(
        Rule(
            "group-exists",
            in: .multivariant,
            clauses: "R4.3.4.2, B4.4.6.2",
            .must,
            requires: "each group that a variant names exists",
            fix: "add the group, or correct its name"
        )
    ) { subject in
        let playlist = subject.playlist
        let known = Set(playlist.renditions.map { [$0.kind.rawValue, $0.group] })
        return playlist.variants.enumerated().flatMap { number, variant -> [Violation] in
            let named: [(MediaRendition.Kind, String?)] = [
                (.audio, variant.audioGroup), (.video, variant.videoGroup), (.subtitles, variant.subtitlesGroup),
                (.closedCaptions, variant.closedCaptionsGroup == "NONE" ? nil : variant.closedCaptionsGroup),
            ]
            return named.compactMap { kind, group in
                guard let group, !known.contains([kind.rawValue, group]) else { return nil }
                let message: Message = "the \(kind.rawValue) group \(group.debugDescription) does not exist"
                return Violation(subject.place(ofVariant: number), message)
            }
        }
    }

    private static func members(_ subject: MultivariantSubject) -> [[MediaRendition]] {
        var all: [[MediaRendition]] = []
        var indices: [String: Int] = [:]
        for rendition in subject.playlist.renditions {
            let key = rendition.kind.rawValue + " " + rendition.group
            if let index = indices[key] {
                all[index].append(rendition)
            } else {
                indices[key] = all.count
                all.append([rendition])
            }
        }
        return all
    }

    static let names = Check<MultivariantSubject>(
        Rule(
            "member-names",
            in: .multivariant,
            clauses: "R4.3.4.1.1, B4.4.6.1.1",
            .must,
            requires: "the names in a group differ",
            fix: "rename the member"
        )
    ) { subject in
        members(subject).flatMap { group in
            var seen: Set<String> = []
            return group.filter { !seen.insert($0.name).inserted }.map {
                Violation(subject.document.place(), "group \($0.group) contains the name \($0.name) twice")
            }
        }
    }

    static let defaults = Check<MultivariantSubject>(
        Rule(
            "member-default",
            in: .multivariant,
            clauses: "R4.3.4.1.1, B4.4.6.1.1",
            .must,
            requires: "a group has at most one default member",
            fix: "keep DEFAULT=YES on one member"
        )
    ) { subject in
        members(subject).filter { $0.count(where: \.isDefault) > 1 }.map {
            Violation(
                subject.document.place(),
                "group \($0[0].group) has \($0.count(where: \.isDefault)) members with DEFAULT=YES"
            )
        }
    }

    static let languages = Check<MultivariantSubject>(
        Rule(
            "member-language",
            in: .multivariant,
            clauses: "A2.27, A4.4, A4.7, A8.10",
            .must,
            requires: "renditions have LANGUAGE, except video",
            fix:
                "add LANGUAGE; FFmpeg: language: in -var_stream_map; Shaka Packager: language= in the stream descriptor"
        )
    ) { subject in
        subject.playlist.renditions.lazy.filter { $0.kind != .video && $0.language == nil }.violations {
            Violation(subject.document.place(), "\($0.name) in group \($0.group) has no LANGUAGE")
        }
    }

    /// The finished media playlists; live ones change between two requests.
    private static func comparable(_ subject: MultivariantSubject) -> [MediaSubject] {
        subject.media.map(\.subject).filter { $0.document.media?.hasEndList == true }
    }

    static let targets = Check<MultivariantSubject>(
        Rule(
            "same-target",
            in: .renditions,
            clauses: "R6.2.4, B6.2.4, A5.6, A6.11, A8.2",
            .must,
            requires: "renditions have the same target duration, except subtitles and I-frames of VOD",
            fix:
                "write the same target duration in all playlists; FFmpeg: the same -hls_time and -force_key_frames for all outputs"
        )
    ) { subject in
        func target(_ document: PlaylistDocument) -> Int? { document.media?.targetDuration }
        func isExempt(_ document: PlaylistDocument) -> Bool {
            document.tags("#EXT-X-PLAYLIST-TYPE").contains { $0.value == "VOD" }
        }
        let subtitles = subject.subtitleURIs
        let others = (subject.media.filter { subtitles.contains($0.uri) } + subject.iFrames).map(\.subject.document)
        let main = subject.media.filter { !subtitles.contains($0.uri) }.map(\.subject.document)
        guard let expected = main.lazy.compactMap(target).first else { return [] }
        return (main + others.filter { !isExempt($0) }).compactMap { document in
            guard let found = target(document), found != expected else { return nil }
            return Violation(
                document.place(),
                Comparison(
                    "the target duration is",
                    Double(found),
                    expected: .equal(Double(expected)),
                    unit: .seconds,
                    origin: "as in another rendition"
                )
            )
        }
    }

    static let boundaries = Check<MultivariantSubject>(
        Rule(
            "same-boundaries",
            in: .renditions,
            clauses: "A8.22",
            .should,
            requires: "renditions have the same segment boundaries, within 0.5 s",
            fix:
                "cut all renditions at the same times; FFmpeg: the same -force_key_frames for all video, and -sc_threshold 0"
        )
    ) { subject in
        let subtitles = subject.subtitleURIs
        let all = subject.media.filter { !subtitles.contains($0.uri) }.map(\.subject)
            .filter { $0.document.media?.hasEndList == true }
        guard let first = all.first else { return [] }
        let expected = ends(first)
        return all.dropFirst().compactMap { media in
            let found = ends(media)
            // The last segment ends with the content.
            guard let index = found.indices.dropLast().first(where: { !isNear(found[$0], expected) }) else {
                return nil
            }
            let message: Message =
                "the segment ends at \(DisplayText.seconds(found[index])), where no segment of another rendition ends"
            return Violation(media.document.place(ofSegment: index), message)
        }
    }

    /// Returns true if one of some increasing times is within half a second.
    private static func isNear(_ time: Rational, _ times: [Rational]) -> Bool {
        var (low, high) = (0, times.count)
        while low < high {
            let middle = (low + high) / 2
            if (times[middle] - time).seconds < -0.5 { low = middle + 1 } else { high = middle }
        }
        return low < times.count && (times[low] - time).seconds <= 0.5
    }

    private static func ends(_ subject: MediaSubject) -> [Rational] {
        var end = Rational.zero
        return subject.playlist.segments.map { segment in
            end += segment.duration
            return end
        }
    }

    static let discontinuities = Check<MultivariantSubject>(
        Rule(
            "same-discontinuities",
            in: .renditions,
            clauses: "R6.2.4, B6.2.4, A8.15",
            .must,
            requires: "renditions have the same discontinuities, by number and time, within 0.5 s",
            fix: "write discontinuities to all playlists"
        )
    ) { subject in
        let all = comparable(subject)
        guard let first = all.first else { return [] }
        let expected = breaks(first)
        return all.dropFirst().compactMap { media in
            let found = breaks(media)
            for number in Set(expected.keys).union(found.keys).sorted() {
                let (time, other) = (found[number]?.time, expected[number]?.time)
                if let time, let other, abs((time - other).seconds) <= 0.5 { continue }
                let shown: [Message] = [time, other].map { $0.map { "at \(DisplayText.seconds($0))" } ?? "missing" }
                let message: Message = "discontinuity \(number) is \(shown[0]), in another rendition \(shown[1])"
                return Violation(media.document.place(ofSegment: found[number]?.segment ?? 0), message)
            }
            return nil
        }
    }

    /// The discontinuities by number, each with its segment and time.
    private static func breaks(_ subject: MediaSubject) -> [Int: (segment: Int, time: Rational)] {
        var (number, time) = (subject.playlist.discontinuitySequence, Rational.zero)
        var found: [Int: (segment: Int, time: Rational)] = [:]
        for (index, segment) in subject.playlist.segments.enumerated() {
            if segment.startsDiscontinuity, number < .max {
                number += 1
                // A discontinuity before the first segment has no effect.
                if index > 0 { found[number] = (index, time) }
            }
            time += segment.duration
        }
        return found
    }

    static let starts = Check<MultivariantSubject>(
        Rule(
            "same-start",
            in: .renditions,
            clauses: "R6.2.4, B6.2.4, A8.7",
            .must,
            requires: "renditions start at the same timestamp, within 0.1 s",
            fix:
                "start all renditions at one timestamp; FFmpeg: one command with all outputs, and not -ss for some of them",
            players: .breaks(
                "GStreamer and mpv stall, and VLC ends early; Chromium plays",
                source: "measured (docs/breaks.md)"
            )
        )
    ) { subject in
        let starts = comparable(subject).compactMap { media in
            media.segments.first { $0.number == 0 }.flatMap { $0.tracks.compactMap(\.start).min() }.map { (media, $0) }
        }
        guard let first = starts.first else { return [] }
        return starts.dropFirst().filter { abs(($0.1 - first.1).seconds) > 0.1 }.map {
            Violation(
                $0.0.document.place(),
                Comparison(
                    "the first timestamp is",
                    $0.1.seconds,
                    expected: .equal(first.1.seconds),
                    unit: .seconds,
                    origin: "as in another rendition"
                )
            )
        }
    }
}
