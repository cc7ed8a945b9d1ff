internal import HLS
internal import Timeline

/// The rules on groups of renditions, and on renditions of the same content.
enum RenditionRules {
    static let all: [Check<MultivariantSubject>] = [
        groups, names, defaults, languages, targets, boundaries, discontinuities, starts,
    ]

    /// Groups that are named are there.
    static let groups = Check<MultivariantSubject>(
        Rule("group-exists", "R4.3.4.2", .must, "every group that a variant names is there")
    ) { subject in
        let playlist = subject.playlist
        return playlist.variants.enumerated().flatMap { number, variant -> [Violation] in
            let named: [(MediaRendition.Kind, String?)] = [
                (.audio, variant.audioGroup), (.video, variant.videoGroup), (.subtitles, variant.subtitlesGroup),
                (.closedCaptions, variant.closedCaptionsGroup == "NONE" ? nil : variant.closedCaptionsGroup),
            ]
            return named.compactMap { kind, group in
                guard let group, playlist.renditions(kind, inGroup: group).isEmpty else { return nil }
                let message = "there is no \(kind.rawValue) group \(group.debugDescription)"
                return Violation(subject.place(ofVariant: number), message)
            }
        }
    }

    private static func members(_ subject: MultivariantSubject) -> [[MediaRendition]] {
        var seen: [(String, [MediaRendition])] = []
        for rendition in subject.playlist.renditions {
            let key = rendition.kind.rawValue + " " + rendition.group
            if let index = seen.firstIndex(where: { $0.0 == key }) {
                seen[index].1.append(rendition)
            } else {
                seen.append((key, [rendition]))
            }
        }
        return seen.map(\.1)
    }

    /// Members of a group can be told apart.
    static let names = Check<MultivariantSubject>(
        Rule("member-names", "R4.3.4.1.1", .must, "the names in a group differ")
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
        Rule("member-default", "R4.3.4.1.1", .must, "a group has at most one default")
    ) { subject in
        members(subject).filter { $0.count(where: \.isDefault) > 1 }.map {
            Violation(subject.document.place(), "the group \($0[0].group) has \($0.count(where: \.isDefault)) defaults")
        }
    }

    /// What is heard or read has a language.
    static let languages = Check<MultivariantSubject>(
        Rule("member-language", "A4.4, A8.10", .must, "renditions but those of video have LANGUAGE")
    ) { subject in
        subject.playlist.renditions.filter { $0.kind != .video && $0.language == nil }.map {
            Violation(subject.document.place(), "\($0.name) of the group \($0.group) has no LANGUAGE")
        }
    }

    /// The media playlists that can be held against one another: a live one moves on between two fetches.
    private static func comparable(_ subject: MultivariantSubject) -> [MediaSubject] {
        subject.media.map(\.subject).filter { $0.document.media?.hasEndList == true }
    }

    /// What is found of each media playlist that differs from the first.
    private static func differing<Value: Equatable>(
        _ subject: MultivariantSubject,
        _ value: (MediaSubject) -> Value?,
        _ message: (Value, Value) -> String
    ) -> [Violation] {
        let all = comparable(subject)
        guard let first = all.first, let expected = value(first) else { return [] }
        return all.dropFirst().compactMap { media in
            guard let found = value(media), found != expected else { return nil }
            return Violation(media.document.place(), message(expected, found))
        }
    }

    /// One target duration.
    static let targets = Check<MultivariantSubject>(
        Rule("same-target", "R6.2.4, A8.2", .must, "renditions have the same target duration")
    ) { subject in
        differing(subject, { $0.playlist.targetDuration }) { "the target is \($1) s, elsewhere \($0) s" }
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
        let all = comparable(subject)
        guard let first = all.first else { return [] }
        let expected = ends(first)
        return all.dropFirst().compactMap { media in
            let found = ends(media)
            let count = min(expected.count, found.count)
            guard let index = (0..<count).first(where: { abs((expected[$0] - found[$0]).seconds) > 0.5 }) else {
                return nil
            }
            let message = "it ends at \(Shown.seconds(found[index])), elsewhere at \(Shown.seconds(expected[index]))"
            return Violation(media.document.place(ofSegment: index), message)
        }
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
        Rule("same-discontinuities", "R6.2.4, A8.15", .must, "renditions break off at the same segments")
    ) { subject in
        differing(
            subject,
            { media in media.playlist.segments.indices.filter { media.playlist.segments[$0].startsDiscontinuity } }
        ) { "they break off at \($1), elsewhere at \($0)" }
    }

    /// One clock.
    static let starts = Check<MultivariantSubject>(
        Rule("same-start", "R6.2.4, A8.7", .must, "renditions begin at the same timestamp, within 0.1 s")
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
