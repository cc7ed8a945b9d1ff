internal import SegueBase
internal import SeguePlaylists

/// The rules that compare media playlists with one another and with their multivariant playlist.
enum ChildRules {
    static let all: [Check<MultivariantSubject>] = [
        media, types, dates, dateRanges, controls, sessionKeys, sessionKeysUsed, starts, startsAgain, independentAgain,
        reports, reported, rangesEverywhere, sessionKeysGiven, peaks,
    ]

    /// The media playlists that were read.
    private static func documents(_ subject: MultivariantSubject) -> [PlaylistDocument] {
        subject.media.map(\.subject.document).filter { $0.media != nil }
    }

    /// The finished media playlists; live ones change between two requests.
    private static func ended(_ subject: MultivariantSubject) -> [PlaylistDocument] {
        documents(subject).filter { $0.has("#EXT-X-ENDLIST") }
    }

    static let media = Check<MultivariantSubject>(
        Rule(
            "child-media",
            in: .multivariant,
            clauses: "R4.1, R4.3.4.2, B4.4.6.2",
            .must,
            requires: "a multivariant playlist names media playlists",
            fix: "name the media playlist itself"
        )
    ) { subject in
        (subject.media + subject.iFrames).map(\.subject.document).filter {
            $0.multivariant != nil || $0.namesVariants
        }.map { Violation($0.place(), "the URI leads to a multivariant playlist") }
    }

    static let types = Check<MultivariantSubject>(
        Rule(
            "same-type",
            in: .renditions,
            clauses: "R6.2.4, B6.2.4",
            .must,
            requires: "all media playlists have the same #EXT-X-PLAYLIST-TYPE, or none",
            fix: "write the same type in all playlists"
        )
    ) { subject in
        let all = documents(subject)
        guard let first = all.first else { return [] }
        func type(_ document: PlaylistDocument) -> String {
            document.tags("#EXT-X-PLAYLIST-TYPE").first?.value ?? "missing"
        }
        return all.dropFirst().filter { type($0) != type(first) }.map {
            Violation($0.place(), "#EXT-X-PLAYLIST-TYPE is \(type($0)), another playlist has \(type(first))")
        }
    }

    static let dates = Check<MultivariantSubject>(
        Rule(
            "same-dates",
            in: .renditions,
            clauses: "R6.2.4, B6.2.4",
            .must,
            requires: "either all media playlists have #EXT-X-PROGRAM-DATE-TIME, or none has",
            fix: "add dates to all playlists"
        )
    ) { subject in
        let all = documents(subject)
        guard all.contains(where: { $0.has("#EXT-X-PROGRAM-DATE-TIME") }) else { return [] }
        return all.filter { !$0.has("#EXT-X-PROGRAM-DATE-TIME") }.map {
            Violation($0.place(), "#EXT-X-PROGRAM-DATE-TIME is missing, another playlist has it")
        }
    }

    static let dateRanges = Check<MultivariantSubject>(
        Rule(
            "same-date-ranges",
            in: .renditions,
            clauses: "R6.2.4, B6.2.4",
            .must,
            requires: "media playlists with date ranges have the same ones",
            fix: "write the same date ranges in all playlists"
        )
    ) { subject in
        let all = ended(subject).filter { $0.has("#EXT-X-DATERANGE") }
        guard let first = all.first else { return [] }
        func ranges(_ document: PlaylistDocument) -> [String: [String: String]] {
            Dictionary(
                DateRangeRules.ranges(document).map { ($0.id, $0.range.values) },
                uniquingKeysWith: { first, _ in first }
            )
        }
        let expected = ranges(first)
        return all.dropFirst().compactMap { document in
            let found = ranges(document)
            let ids = Set(expected.keys).union(found.keys).sorted()
            return ids.first { expected[$0] != found[$0] }.map {
                Violation(
                    document.place(),
                    "the date range \(value: $0.prefix(40).debugDescription) differs from another playlist"
                )
            }
        }
    }

    static let controls = Check<MultivariantSubject>(
        Rule(
            "same-control",
            in: .renditions,
            clauses: "B6.2.4",
            .must,
            requires: "all media playlists have the same #EXT-X-SERVER-CONTROL, or none",
            fix: "write the same tag in all playlists"
        )
    ) { subject in
        let all = documents(subject)
        guard let first = all.first else { return [] }
        func control(_ document: PlaylistDocument) -> [String]? {
            document.lists("#EXT-X-SERVER-CONTROL").first?.list.values.map { "\($0.name)=\($0.value.text)" }.sorted()
        }
        func text(_ document: PlaylistDocument) -> String { control(document)?.joined(separator: ",") ?? "missing" }
        return all.dropFirst().filter { control($0) != control(first) }.map { document in
            let line = document.tags("#EXT-X-SERVER-CONTROL").first?.number
            let message: Message =
                "#EXT-X-SERVER-CONTROL is \(value: text(document).prefix(120)), another playlist has "
                + "\(value: text(first).prefix(120))"
            return Violation(document.place(line: line), message)
        }
    }

    static let sessionKeys = Check<MultivariantSubject>(
        Rule(
            "session-key-same",
            in: .keys,
            clauses: "R4.3.4.5, B4.4.6.5",
            .must,
            requires: "a session key has the METHOD, KEYFORMAT, and KEYFORMATVERSIONS of the keys with its URI",
            fix: "copy the attributes of the key"
        )
    ) { subject in
        func key(_ list: RawAttributes) -> [String] {
            [list["METHOD"] ?? "", list["KEYFORMAT"] ?? "identity", list["KEYFORMATVERSIONS"] ?? "1"]
        }
        let sessionKeys = subject.document.lists("#EXT-X-SESSION-KEY").compactMap { _, list in
            list["URI"].map { (URIReference.resolve($0, against: subject.document.url), key(list)) }
        }
        guard !sessionKeys.isEmpty else { return [] }
        return documents(subject).flatMap { document in
            document.lists("#EXT-X-KEY").compactMap { line, list in
                guard let uri = list["URI"].map({ URIReference.resolve($0, against: document.url) }) else { return nil }
                let same = sessionKeys.filter { $0.0 == uri }
                guard let expected = same.first?.1, !same.contains(where: { $0.1 == key(list) }) else { return nil }
                let message: Message =
                    "the key has \(key(list).joined(separator: ", ")), "
                    + "its session key has \(expected.joined(separator: ", "))"
                return Violation(document.place(line: line.number), message)
            }
        }
    }

    static let sessionKeysUsed = Check<MultivariantSubject>(
        Rule(
            "session-key-used",
            in: .keys,
            clauses: "own",
            .advice,
            requires: "a session key is a key of a media playlist",
            fix: "remove the session key"
        )
    ) { subject in
        let all = documents(subject)
        guard !all.isEmpty, all.count == Set(subject.media.map(\.uri)).count else { return [] }
        let used = Set(
            all.flatMap { document in
                document.lists("#EXT-X-KEY").compactMap { $0.list["URI"] }
                    .map { URIReference.resolve($0, against: document.url) }
            }
        )
        return subject.document.lists("#EXT-X-SESSION-KEY").compactMap { line, list in
            guard let uri = list["URI"], !used.contains(URIReference.resolve(uri, against: subject.document.url)) else {
                return nil
            }
            return Violation(subject.document.place(line: line.number), "no media playlist uses the session key")
        }
    }

    private static func start(_ document: PlaylistDocument) -> [String]? {
        document.lists("#EXT-X-START").first.map { _, list in
            [list.number("TIME-OFFSET").map { "\($0)" } ?? "", list["PRECISE"] ?? "NO"]
        }
    }

    static let starts = Check<MultivariantSubject>(
        Rule(
            "start-same",
            in: .renditions,
            clauses: "R4.3.5, B4.4.2.2",
            .must,
            requires: "#EXT-X-START is the same in the multivariant and the media playlists",
            fix: "write the same tag, or remove one"
        )
    ) { subject in
        guard let expected = start(subject.document) else { return [] }
        return documents(subject).compactMap { document in
            guard let found = start(document), found != expected else { return nil }
            let line = document.tags("#EXT-X-START").first?.number
            let names = ["TIME-OFFSET", "PRECISE"]
            let differing = names.indices.filter { found[$0] != expected[$0] }.map { index -> Message in
                let (here, there) = (found[index], expected[index])
                return "\(names[index]) is \(value: here), in the multivariant playlist \(value: there)"
            }
            return Violation(document.place(line: line), differing.first ?? "#EXT-X-START differs")
        }
    }

    static let startsAgain = Check<MultivariantSubject>(
        Rule(
            "start-again",
            in: .renditions,
            clauses: "R4.3.5, B4.4.2.2",
            .should,
            requires: "media playlists do not repeat #EXT-X-START of the multivariant playlist",
            fix: "remove the tag from the media playlist"
        )
    ) { subject in
        guard let expected = start(subject.document) else { return [] }
        return documents(subject).filter { start($0) == expected }.map {
            Violation(
                $0.place(line: $0.tags("#EXT-X-START").first?.number),
                "#EXT-X-START repeats the multivariant playlist"
            )
        }
    }

    static let independentAgain = Check<MultivariantSubject>(
        Rule(
            "independent-again",
            in: .renditions,
            clauses: "R4.3.5, B4.4.2.1",
            .should,
            requires: "media playlists do not repeat #EXT-X-INDEPENDENT-SEGMENTS of the multivariant playlist",
            fix: "remove the tag from the media playlist"
        )
    ) { subject in
        let name = "#EXT-X-INDEPENDENT-SEGMENTS"
        guard subject.document.has(name) else { return [] }
        return documents(subject).filter { $0.has(name) }.map {
            Violation($0.place(line: $0.tags(name).first?.number), "\(name) repeats the multivariant playlist")
        }
    }

    static let reports = Check<MultivariantSubject>(
        Rule(
            "reports-given",
            in: .parts,
            clauses: "A14.1",
            .must,
            requires: "a live playlist with parts has #EXT-X-RENDITION-REPORT for every other playlist with parts",
            fix: "add the report"
        )
    ) { subject in
        let all = documents(subject).filter { $0.has("#EXT-X-PART") && !$0.has("#EXT-X-ENDLIST") }
        return all.flatMap { document in
            let reported = document.lists("#EXT-X-RENDITION-REPORT").compactMap { $0.list["URI"] }
                .map { withoutQuery(URIReference.resolve($0, against: document.url)) }
            return all.filter {
                withoutQuery($0.url) != withoutQuery(document.url) && !reported.contains(withoutQuery($0.url))
            }
            .map { Violation(document.place(), "#EXT-X-RENDITION-REPORT is missing for \(value: $0.url)") }
        }
    }

    static let reported = Check<MultivariantSubject>(
        Rule(
            "report-known",
            in: .parts,
            clauses: "B4.4.5.4",
            .must,
            requires: "#EXT-X-RENDITION-REPORT names a playlist of the multivariant playlist",
            fix: "correct the URI of the report"
        )
    ) { subject in
        let known = Set((subject.media + subject.iFrames).map { withoutQuery($0.subject.document.url) })
        return documents(subject).flatMap { document in
            document.lists("#EXT-X-RENDITION-REPORT").compactMap { line, list in
                guard let uri = list["URI"],
                    !known.contains(withoutQuery(URIReference.resolve(uri, against: document.url)))
                else { return nil }
                return Violation(
                    document.place(line: line.number),
                    "the multivariant playlist does not name \(value: uri.prefix(60))"
                )
            }
        }
    }

    private static func withoutQuery(_ url: String) -> String { String(url.prefix { $0 != "?" && $0 != "#" }) }

    static let rangesEverywhere = Check<MultivariantSubject>(
        Rule(
            "date-ranges-everywhere",
            in: .renditions,
            clauses: "B6.2.4",
            .must,
            requires: "with date ranges, each playable combination has a playlist that carries them",
            fix: "write the date ranges in all variants"
        )
    ) { subject in
        let name = "#EXT-X-DATERANGE"
        guard documents(subject).contains(where: { $0.has(name) }) else { return [] }
        return subject.playlist.variants.enumerated().compactMap { number, variant in
            guard let own = subject.subject(variant.uri)?.document, own.media != nil, !own.has(name) else { return nil }
            let groups = [(MediaRendition.Kind.audio, variant.audioGroup), (.video, variant.videoGroup)]
            let isElsewhere = groups.contains { kind, group in
                guard let group else { return false }
                let all = subject.playlist.renditions(kind, inGroup: group)
                return !all.isEmpty && all.allSatisfy { subject.subject($0.uri)?.document.has(name) == true }
            }
            return isElsewhere
                ? nil : Violation(subject.place(ofVariant: number), "no playlist of the variant has date ranges")
        }
    }

    static let sessionKeysGiven = Check<MultivariantSubject>(
        Rule(
            "session-key-given",
            in: .keys,
            clauses: "R4.3.4.5, B4.4.6.5",
            .should,
            requires: "a key used by several media playlists is a session key",
            fix: "add #EXT-X-SESSION-KEY"
        )
    ) { subject in
        guard !subject.document.has("#EXT-X-SESSION-KEY") else { return [] }
        var owners: [String: Int] = [:]
        for document in documents(subject) {
            let uris = document.lists("#EXT-X-KEY").compactMap { $0.list["URI"] }
            for uri in Set(uris.map { URIReference.resolve($0, against: document.url) }) {
                owners[uri, default: 0] += 1
            }
        }
        guard let shared = owners.filter({ $0.value > 1 }).keys.min() else { return [] }
        return [
            Violation(
                subject.document.place(),
                "several media playlists use \(value: shared.prefix(80)), which is not a session key"
            )
        ]
    }

    static let peaks = Check<MultivariantSubject>(
        Rule(
            "peak-average",
            in: .multivariant,
            clauses: "A1.30",
            .should,
            requires: "in VOD, BANDWIDTH is at most twice AVERAGE-BANDWIDTH",
            fix: "limit the encoder's peak bit rate"
        )
    ) { subject in
        let all = documents(subject)
        guard !all.isEmpty, all.allSatisfy({ $0.has("#EXT-X-ENDLIST") }) else { return [] }
        return subject.playlist.variants.enumerated().compactMap { number, variant in
            guard let average = variant.averageBandwidth, average > 0, variant.bandwidth / 2 > average else {
                return nil
            }
            return Violation(
                subject.place(ofVariant: number),
                Comparison(
                    "BANDWIDTH is",
                    Double(variant.bandwidth),
                    expected: .atMost(2 * Double(average)),
                    unit: .bitsPerSecond,
                    origin: "(twice AVERAGE-BANDWIDTH)"
                )
            )
        }
    }
}
