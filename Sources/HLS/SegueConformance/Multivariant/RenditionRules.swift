internal import SegueBase
internal import SeguePlaylists

/// The rules on groups of renditions, and on renditions of the same content.
enum RenditionRules {
    static let all: [Check<MultivariantSubject>] = [
        groups, names, defaults, languages, targets, boundaries, discontinuities, starts,
    ]

    /// Groups that are named are there.
    static let groups = Check<MultivariantSubject>(
        Rule("group-exists", "R4.3.4.2, B4.4.6.2", .must, "every group that a variant names is there")
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
                let message = "there is no \(kind.rawValue) group \(group.debugDescription)"
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

    /// Members of a group can be told apart.
    static let names = Check<MultivariantSubject>(
        Rule("member-names", "R4.3.4.1.1, B4.4.6.1.1", .must, "the names in a group differ")
    ) { subject in
        members(subject).flatMap { group in
            var seen: Set<String> = []
            return group.filter { !seen.insert($0.name).inserted }.map {
                Violation(subject.document.place(), "the group \($0.group) has the name \($0.name) twice")
            }
        }
    }

    /// A group has one default.
    static let defaults = Check<MultivariantSubject>(
        Rule("member-default", "R4.3.4.1.1, B4.4.6.1.1", .must, "a group has at most one default")
    ) { subject in
        members(subject).filter { $0.count(where: \.isDefault) > 1 }.map {
            Violation(subject.document.place(), "the group \($0[0].group) has \($0.count(where: \.isDefault)) defaults")
        }
    }

    /// What is heard or read has a language.
    static let languages = Check<MultivariantSubject>(
        Rule("member-language", "A2.27, A4.4, A4.7, A8.10", .must, "renditions but those of video have LANGUAGE")
    ) { subject in
        subject.playlist.renditions.lazy.filter { $0.kind != .video && $0.language == nil }.violations {
            Violation(subject.document.place(), "\($0.name) of the group \($0.group) has no LANGUAGE")
        }
    }

    /// The media playlists that can be held against one another: a live one moves on between two fetches.
    private static func comparable(_ subject: MultivariantSubject) -> [MediaSubject] {
        subject.media.map(\.subject).filter { $0.document.media?.hasEndList == true }
    }

    /// One target duration.
    static let targets = Check<MultivariantSubject>(
        Rule(
            "same-target",
            "R6.2.4, B6.2.4, A5.6, A6.11, A8.2",
            .must,
            "renditions have the same target duration, but for subtitles and I-frames of VOD"
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
            return Violation(document.place(), "the target is \(found) s, elsewhere \(expected) s")
        }
    }

    /// One set of borders.
    static let boundaries = Check<MultivariantSubject>(
        Rule(
            "same-boundaries",
            "A8.22",
            .should,
            "renditions are cut at the same times, within half a second"
        )
    ) { subject in
        let subtitles = subject.subtitleURIs
        let all = subject.media.filter { !subtitles.contains($0.uri) }.map(\.subject)
            .filter { $0.document.media?.hasEndList == true }
        guard let first = all.first else { return [] }
        let expected = ends(first)
        return all.dropFirst().compactMap { media in
            let found = ends(media)
            // The last segment ends with the content, not with others.
            guard let index = found.indices.dropLast().first(where: { !isNear(found[$0], expected) }) else {
                return nil
            }
            let message = "the segment ends at \(Shown.seconds(found[index])), elsewhere none does"
            return Violation(media.document.place(ofSegment: index), message)
        }
    }

    /// Whether one of some times that rise is within half a second.
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

    /// One count of discontinuities.
    static let discontinuities = Check<MultivariantSubject>(
        Rule(
            "same-discontinuities",
            "R6.2.4, B6.2.4, A8.15",
            .must,
            "renditions have the same discontinuities, by number and time, within half a second"
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
                let message =
                    "discontinuity \(number) is \(time.map { "at " + Shown.seconds($0) } ?? "missing"), "
                    + "elsewhere \(other.map { "at " + Shown.seconds($0) } ?? "missing")"
                return Violation(media.document.place(ofSegment: found[number]?.segment ?? 0), message)
            }
            return nil
        }
    }

    /// The discontinuities by their number, each with its segment and when it is.
    private static func breaks(_ subject: MediaSubject) -> [Int: (segment: Int, time: Rational)] {
        var (number, time) = (subject.playlist.discontinuitySequence, Rational.zero)
        var found: [Int: (segment: Int, time: Rational)] = [:]
        for (index, segment) in subject.playlist.segments.enumerated() {
            if segment.startsDiscontinuity, number < .max {
                number += 1
                // Before the first segment nothing breaks off that anybody could see.
                if index > 0 { found[number] = (index, time) }
            }
            time += segment.duration
        }
        return found
    }

    /// One clock.
    static let starts = Check<MultivariantSubject>(
        Rule("same-start", "R6.2.4, B6.2.4, A8.7", .must, "renditions begin at the same timestamp, within 0.1 s")
    ) { subject in
        let starts = comparable(subject).compactMap { media in
            media.segments.first { $0.number == 0 }.flatMap { $0.tracks.compactMap(\.start).min() }.map { (media, $0) }
        }
        guard let first = starts.first else { return [] }
        return starts.dropFirst().filter { abs(($0.1 - first.1).seconds) > 0.1 }.map {
            Violation(
                $0.0.document.place(),
                "it begins at \(Shown.seconds($0.1)), elsewhere at \(Shown.seconds(first.1))"
            )
        }
    }
}
