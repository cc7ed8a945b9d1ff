internal import SeguePlaylists

/// The rules on the texts of media playlists beside one another and beside the multivariant playlist that names them.
enum ChildRules {
    static let all: [Check<MultivariantSubject>] = [
        media, types, dates, dateRanges, controls, sessionKeys, sessionKeysUsed, starts, startsAgain, independentAgain,
        reports, reported, rangesEverywhere, sessionKeysGiven, peaks,
    ]

    /// The media playlists that are there.
    private static func documents(_ subject: MultivariantSubject) -> [PlaylistDocument] {
        subject.media.map(\.subject.document).filter { $0.media != nil }
    }

    /// Those with an end: live ones move on between two fetches.
    private static func ended(_ subject: MultivariantSubject) -> [PlaylistDocument] {
        documents(subject).filter { $0.has("#EXT-X-ENDLIST") }
    }

    /// What is named are segments' lists.
    static let media = Check<MultivariantSubject>(
        Rule("child-media", "R4.1, R4.3.4.2, B4.4.6.2", .must, "what a multivariant playlist names are media playlists")
    ) { subject in
        (subject.media + subject.iFrames).map(\.subject.document).filter {
            $0.multivariant != nil || $0.namesVariants
        }.map { Violation($0.place(), "it is a multivariant playlist") }
    }

    /// One kind.
    static let types = Check<MultivariantSubject>(
        Rule("same-type", "R6.2.4, B6.2.4", .must, "all media playlists have the same #EXT-X-PLAYLIST-TYPE, or none")
    ) { subject in
        let all = documents(subject)
        guard let first = all.first else { return [] }
        func type(_ document: PlaylistDocument) -> String {
            document.tags("#EXT-X-PLAYLIST-TYPE").first?.value ?? "missing"
        }
        return all.dropFirst().filter { type($0) != type(first) }.map {
            Violation($0.place(), "it is \(type($0)), elsewhere \(type(first))")
        }
    }

    /// One calendar.
    static let dates = Check<MultivariantSubject>(
        Rule("same-dates", "R6.2.4, B6.2.4", .must, "all media playlists have #EXT-X-PROGRAM-DATE-TIME, or none")
    ) { subject in
        let all = documents(subject)
        guard all.contains(where: { $0.has("#EXT-X-PROGRAM-DATE-TIME") }) else { return [] }
        return all.filter { !$0.has("#EXT-X-PROGRAM-DATE-TIME") }.map {
            Violation($0.place(), "it has none, another has")
        }
    }

    /// One set of ranges.
    static let dateRanges = Check<MultivariantSubject>(
        Rule("same-date-ranges", "R6.2.4, B6.2.4", .must, "media playlists with date ranges have the same")
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
                Violation(document.place(), "the range \($0.prefix(40).debugDescription) is not what it is elsewhere")
            }
        }
    }

    /// One server.
    static let controls = Check<MultivariantSubject>(
        Rule("same-control", "B6.2.4", .must, "all media playlists have the same #EXT-X-SERVER-CONTROL, or none")
    ) { subject in
        let all = documents(subject)
        guard let first = all.first else { return [] }
        func control(_ document: PlaylistDocument) -> [String]? {
            document.lists("#EXT-X-SERVER-CONTROL").first?.list.values.map { "\($0.name)=\($0.value.text)" }.sorted()
        }
        return all.dropFirst().filter { control($0) != control(first) }.map {
            Violation($0.place(), "it is not what it is elsewhere")
        }
    }

    /// Keys that are told early are those that are used.
    static let sessionKeys = Check<MultivariantSubject>(
        Rule(
            "session-key-same",
            "R4.3.4.5, B4.4.6.5",
            .must,
            "a session key has METHOD, KEYFORMAT and KEYFORMATVERSIONS of the keys with its URI"
        )
    ) { subject in
        func key(_ list: RawAttributes) -> [String] {
            [list["METHOD"] ?? "", list["KEYFORMAT"] ?? "identity", list["KEYFORMATVERSIONS"] ?? "1"]
        }
        let told = subject.document.lists("#EXT-X-SESSION-KEY").compactMap { _, list in
            list["URI"].map { (URIReference.resolve($0, against: subject.document.url), key(list)) }
        }
        guard !told.isEmpty else { return [] }
        return documents(subject).flatMap { document in
            document.lists("#EXT-X-KEY").compactMap { line, list in
                guard let uri = list["URI"].map({ URIReference.resolve($0, against: document.url) }) else { return nil }
                let same = told.filter { $0.0 == uri }
                guard let expected = same.first?.1, !same.contains(where: { $0.1 == key(list) }) else { return nil }
                let message = "it is \(key(list).joined(separator: ", ")), told as \(expected.joined(separator: ", "))"
                return Violation(document.place(line: line.number), message)
            }
        }
    }

    /// What is told early is used.
    static let sessionKeysUsed = Check<MultivariantSubject>(
        Rule("session-key-used", "own", .advice, "a session key is a key of a media playlist")
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
            return Violation(subject.document.place(line: line.number), "no media playlist uses it")
        }
    }

    private static func start(_ document: PlaylistDocument) -> [String]? {
        document.lists("#EXT-X-START").first.map { _, list in
            [list.number("TIME-OFFSET").map { "\($0)" } ?? "", list["PRECISE"] ?? "NO"]
        }
    }

    /// One place to begin.
    static let starts = Check<MultivariantSubject>(
        Rule("start-same", "R4.3.5, B4.4.2.2", .must, "#EXT-X-START is the same in both playlists that have it")
    ) { subject in
        guard let expected = start(subject.document) else { return [] }
        return documents(subject).compactMap { document in
            guard let found = start(document), found != expected else { return nil }
            let line = document.tags("#EXT-X-START").first?.number
            return Violation(document.place(line: line), "the multivariant playlist has another")
        }
    }

    /// What is said of all is not said of each.
    static let startsAgain = Check<MultivariantSubject>(
        Rule(
            "start-again",
            "R4.3.5, B4.4.2.2",
            .should,
            "#EXT-X-START of the multivariant playlist is not repeated in media playlists"
        )
    ) { subject in
        guard let expected = start(subject.document) else { return [] }
        return documents(subject).filter { start($0) == expected }.map {
            Violation($0.place(line: $0.tags("#EXT-X-START").first?.number), "it is there again")
        }
    }

    /// What is said of all is not said of each.
    static let independentAgain = Check<MultivariantSubject>(
        Rule(
            "independent-again",
            "R4.3.5, B4.4.2.1",
            .should,
            "#EXT-X-INDEPENDENT-SEGMENTS of the multivariant playlist is not repeated in media playlists"
        )
    ) { subject in
        let name = "#EXT-X-INDEPENDENT-SEGMENTS"
        guard subject.document.has(name) else { return [] }
        return documents(subject).filter { $0.has(name) }.map {
            Violation($0.place(line: $0.tags(name).first?.number), "it is there again")
        }
    }

    /// Who changes playlists knows where the others are.
    static let reports = Check<MultivariantSubject>(
        Rule(
            "reports-given",
            "A14.1",
            .must,
            "a live playlist with parts has #EXT-X-RENDITION-REPORT for each other with parts"
        )
    ) { subject in
        let all = documents(subject).filter { $0.has("#EXT-X-PART") && !$0.has("#EXT-X-ENDLIST") }
        return all.flatMap { document in
            let told = document.lists("#EXT-X-RENDITION-REPORT").compactMap { $0.list["URI"] }
                .map { withoutQuery(URIReference.resolve($0, against: document.url)) }
            return all.filter {
                withoutQuery($0.url) != withoutQuery(document.url) && !told.contains(withoutQuery($0.url))
            }
            .map { Violation(document.place(), "there is none for \($0.url)") }
        }
    }

    /// What is told of is there.
    static let reported = Check<MultivariantSubject>(
        Rule("report-known", "B4.4.5.4", .must, "#EXT-X-RENDITION-REPORT is of a playlist that is named too")
    ) { subject in
        let known = Set((subject.media + subject.iFrames).map { withoutQuery($0.subject.document.url) })
        return documents(subject).flatMap { document in
            document.lists("#EXT-X-RENDITION-REPORT").compactMap { line, list in
                guard let uri = list["URI"],
                    !known.contains(withoutQuery(URIReference.resolve(uri, against: document.url)))
                else { return nil }
                return Violation(document.place(line: line.number), "\(uri.prefix(60)) is not named")
            }
        }
    }

    private static func withoutQuery(_ url: String) -> String { String(url.prefix { $0 != "?" && $0 != "#" }) }

    /// Who plays any combination learns of the ranges.
    static let rangesEverywhere = Check<MultivariantSubject>(
        Rule(
            "date-ranges-everywhere",
            "B6.2.4",
            .must,
            "where there are date ranges, a playlist of each combination that is played has them"
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
            return isElsewhere ? nil : Violation(subject.place(ofVariant: number), "none of its playlists has any")
        }
    }

    /// What many need is told early.
    static let sessionKeysGiven = Check<MultivariantSubject>(
        Rule("session-key-given", "R4.3.4.5, B4.4.6.5", .should, "a key of several media playlists is a session key")
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
        return [Violation(subject.document.place(), "\(shared.prefix(80)) is none")]
    }

    /// No peak is far above the average.
    static let peaks = Check<MultivariantSubject>(
        Rule("peak-average", "A1.30", .should, "of VOD, BANDWIDTH is twice AVERAGE-BANDWIDTH at most")
    ) { subject in
        let all = documents(subject)
        guard !all.isEmpty, all.allSatisfy({ $0.has("#EXT-X-ENDLIST") }) else { return [] }
        return subject.playlist.variants.enumerated().compactMap { number, variant in
            guard let average = variant.averageBandwidth, average > 0, variant.bandwidth / 2 > average else {
                return nil
            }
            return Violation(subject.place(ofVariant: number), "\(variant.bandwidth) is more than twice \(average)")
        }
    }
}
