internal import SegueBase
internal import SeguePlaylists

/// The rules on the attributes of variants that need no media.
enum VariantTextRules {
    static let all: [Check<PlaylistDocument>] = [
        codecForms, codecTwice, averages, twice, scores, supplemental, layout, layoutNeeded, protection, stableForm,
        stableSame, pathway, steering,
    ]

    private static let tags = ["#EXT-X-STREAM-INF", "#EXT-X-I-FRAME-STREAM-INF"]

    static let codecForms = Check<PlaylistDocument>(
        Rule(
            "codecs-form",
            in: .multivariant,
            clauses: "R4.3.4.2, B4.4.6.2",
            .must,
            requires: "CODECS is a list of RFC 6381 format names",
            fix: "correct the name"
        )
    ) { document in
        document.violations(in: tags) { list in
            guard list["CODECS"]?.isEmpty == false else { return nil }
            return document.codecs(list).first { !$0.isWellFormed }.map {
                "CODECS contains \($0.name.prefix(40).debugDescription), expected \($0.expectedForm)"
            }
        }
    }

    static let codecTwice = Check<PlaylistDocument>(
        Rule(
            "codecs-once",
            in: .multivariant,
            clauses: "own",
            .advice,
            requires: "CODECS lists each format once",
            fix: "remove the duplicate"
        )
    ) { document in
        document.violations(in: tags) { list in
            var seen: Set<String> = []
            return document.codecs(list).map(\.name).first { !$0.isEmpty && !seen.insert($0).inserted }.map {
                "CODECS contains \($0) twice"
            }
        }
    }

    static let averages = Check<PlaylistDocument>(
        Rule(
            "average-above",
            in: .multivariant,
            clauses: "R4.3.4.2, B4.4.6.2",
            .must,
            requires: "AVERAGE-BANDWIDTH is not above BANDWIDTH",
            fix: "exchange or correct the values"
        )
    ) { document in
        document.violations(
            in: tags,
            comparing: { list in
                guard let peak = list["BANDWIDTH"].flatMap({ Int($0) }), peak > 0,
                    let average = list["AVERAGE-BANDWIDTH"].flatMap({ Int($0) }), average > peak
                else { return nil }
                return Comparison(
                    "AVERAGE-BANDWIDTH is",
                    Double(average),
                    expected: .atMost(Double(peak)),
                    unit: .bitsPerSecond,
                    origin: "by BANDWIDTH"
                )
            }
        )
    }

    static let twice = Check<PlaylistDocument>(
        Rule(
            "variant-once",
            in: .multivariant,
            clauses: "own",
            .advice,
            requires: "variants with one URI differ in more than their bit rates",
            fix: "remove the duplicate"
        )
    ) { document in
        var seen: Set<[String]> = []
        return document.lists("#EXT-X-STREAM-INF").violations { line, list in
            guard let uri = document.uri(after: line) else { return nil }
            let rest = list.values.filter { !$0.name.hasSuffix("BANDWIDTH") }.map { "\($0.name)=\($0.value.text)" }
                .sorted()
            guard !seen.insert(rest + [uri]).inserted else { return nil }
            return Violation(
                document.place(line: line.number),
                "an earlier variant with \(value: uri.prefix(60)) differs only in its bit rates"
            )
        }
    }

    static let scores = Check<PlaylistDocument>(
        Rule(
            "score-all",
            in: .multivariant,
            clauses: "B4.4.6.2 should, A9.19",
            .must,
            requires: "either all variants have SCORE, or none has",
            fix: "add SCORE to all variants"
        )
    ) { document in
        let all = document.lists("#EXT-X-STREAM-INF")
        guard all.contains(where: { $0.list["SCORE"] != nil }),
            let other = all.first(where: { $0.list["SCORE"] == nil })
        else { return [] }
        return [Violation(document.place(line: other.line.number), "SCORE is missing, another variant has it")]
    }

    /// The prefixes of enhancement codecs with those of their base layers.
    private static let bases = [
        "dvh1": ["hvc1", "hev1"], "dvhe": ["hev1", "hvc1"], "dav1": ["av01"], "dva1": ["avc1", "avc3"],
        "dvav": ["avc3", "avc1"],
    ]

    static let supplemental = Check<PlaylistDocument>(
        Rule(
            "supplemental-codecs",
            in: .multivariant,
            clauses: "B4.4.6.2",
            .must,
            requires: "SUPPLEMENTAL-CODECS is a list of codecs with brands whose base layers are in CODECS",
            fix: "correct the list, or add the base layer to CODECS"
        )
    ) { document in
        document.violations(in: tags) { list in
            guard let text = list["SUPPLEMENTAL-CODECS"], !text.isEmpty else { return nil }
            let codecs = document.codecs(list).map { $0.name.prefix(4) }
            for item in StatedCodec.items(text) {
                guard isCodecWithBrands(item) else {
                    return "SUPPLEMENTAL-CODECS contains \(item.prefix(40).debugDescription), expected CODEC/BRAND"
                }
                let start = String(item.prefix(4))
                let wanted = bases[start] ?? [start]
                guard wanted.contains(where: { codecs.contains($0[...]) }) else {
                    return "CODECS has no base layer \(wanted[0]) for \(item.prefix(40))"
                }
            }
            return nil
        }
    }

    private static func isCodecWithBrands(_ text: String) -> Bool {
        var reader = FormReader(text)
        guard reader.some(of: .words, 4...4) != nil else { return false }
        _ = reader.some(of: Letters("A-Za-z0-9._+-"))
        while !reader.isAtEnd {
            guard reader.takes("/"), reader.some(of: Letters("A-Za-z0-9 "), 4...4) != nil else { return false }
        }
        return true
    }

    private static let channels = ["CH-STEREO", "CH-MONO"]
    private static let projections = ["PROJ-RECT", "PROJ-EQUI", "PROJ-HEQU", "PROJ-PRIM", "PROJ-AIV"]

    static let layout = Check<PlaylistDocument>(
        Rule(
            "video-layout",
            in: .multivariant,
            clauses: "B4.4.6.2",
            .must,
            requires: "each REQ-VIDEO-LAYOUT entry has at most one channel layout and one projection, and is not empty",
            fix: "correct the entry"
        )
    ) { document in
        document.violations(in: tags) { list in
            guard let text = list["REQ-VIDEO-LAYOUT"], !text.isEmpty else { return nil }
            for entry in text.split(separator: ",", omittingEmptySubsequences: false) {
                let words = entry.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
                let isGood =
                    words.allSatisfy { (channels + projections).contains($0) }
                    && words.count(where: channels.contains) <= 1 && words.count(where: projections.contains) <= 1
                if !isGood { return "REQ-VIDEO-LAYOUT contains the entry \(String(entry.prefix(40)).debugDescription)" }
            }
            return nil
        }
    }

    static let layoutNeeded = Check<PlaylistDocument>(
        Rule(
            "video-layout-needed",
            in: .multivariant,
            clauses: "B4.4.6.2",
            .should,
            requires: "REQ-VIDEO-LAYOUT is present only where video is stereo or projected",
            fix: "remove REQ-VIDEO-LAYOUT"
        )
    ) { document in
        document.violations(in: tags) { list in
            guard let text = list["REQ-VIDEO-LAYOUT"] else { return nil }
            let words = Set(text.split(whereSeparator: { ",/".contains($0) }).map(String.init))
            return !words.isEmpty && words.isSubset(of: ["CH-MONO", "PROJ-RECT"])
                ? "REQ-VIDEO-LAYOUT is \(text), the default" : nil
        }
    }

    static let protection = Check<PlaylistDocument>(
        Rule(
            "allowed-cpc",
            in: .multivariant,
            clauses: "B4.4.6.2",
            .must,
            requires: "ALLOWED-CPC is a list of key formats with labels",
            fix: "write KEYFORMAT:LABEL entries"
        )
    ) { document in
        document.violations(in: tags) { list in
            guard let text = list["ALLOWED-CPC"], !text.isEmpty else { return nil }
            return StatedCodec.items(text).first { !isFormatWithLabels($0) }.map {
                "ALLOWED-CPC contains \($0.prefix(40).debugDescription), expected KEYFORMAT:LABEL"
            }
        }
    }

    private static func isFormatWithLabels(_ text: String) -> Bool {
        let parts = text.utf8.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
        guard parts.count == 2, !parts[0].isEmpty else { return false }
        // Apple's own labels are lower case.
        return parts[1].isEmpty
            || parts[1].split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false).allSatisfy {
                Substring($0).isAll(of: Letters("A-Za-z0-9-"))
            }
    }

    private static let stable = [
        ("#EXT-X-STREAM-INF", "STABLE-VARIANT-ID"), ("#EXT-X-I-FRAME-STREAM-INF", "STABLE-VARIANT-ID"),
        ("#EXT-X-MEDIA", "STABLE-RENDITION-ID"),
    ]

    static let stableForm = Check<PlaylistDocument>(
        Rule(
            "stable-id",
            in: .multivariant,
            clauses: "B4.4.6.1, B4.4.6.2",
            .must,
            requires: "stable IDs contain letters, digits, and + / = . - _ only",
            fix: "rename the ID"
        )
    ) { document in
        stable.flatMap { tag, name in
            document.violations(in: [tag]) { list in
                guard let id = list[name], !id.isEmpty, !id.isAll(of: Letters("A-Za-z0-9+/=._-")) else {
                    return nil
                }
                return "\(name) is \(id.prefix(40).debugDescription), expected letters, digits, and + / = . - _"
            }
        }
    }

    static let stableSame = Check<PlaylistDocument>(
        Rule(
            "stable-id-same",
            in: .multivariant,
            clauses: "B4.4.6.1, B4.4.6.2",
            .should,
            requires: "tags with one URI have one stable ID, and different members of a group have different ones",
            fix: "assign one stable ID to each playlist"
        )
    ) { document in
        ambiguousMembers(document)
            + stable.flatMap { tag, name -> [Violation] in
                var known: [String: String] = [:]
                return document.lists(tag).violations { line, list in
                    guard let id = list[name],
                        let uri = list["URI"] ?? (tag == "#EXT-X-STREAM-INF" ? document.uri(after: line) : nil),
                        let former = known.updateValue(id, forKey: uri), former != id
                    else { return nil }
                    return Violation(
                        document.place(line: line.number),
                        "\(value: uri.prefix(60)) has the stable IDs \(value: former) and \(value: id)"
                    )
                }
            }
    }

    /// Members of a group that have one stable ID and different URIs.
    private static func ambiguousMembers(_ document: PlaylistDocument) -> [Violation] {
        var known: [[String]: String] = [:]
        return document.lists("#EXT-X-MEDIA").violations { line, list in
            guard let id = list["STABLE-RENDITION-ID"], let uri = list["URI"],
                let former = known.updateValue(uri, forKey: [list["TYPE"] ?? "", list["GROUP-ID"] ?? "", id]),
                former != uri
            else { return nil }
            let message: Message =
                "\(id.prefix(40).debugDescription) names \(value: former.prefix(60)) and \(value: uri.prefix(60))"
            return Violation(document.place(line: line.number), message)
        }
    }

    static let pathway = Check<PlaylistDocument>(
        Rule(
            "pathway-known",
            in: .multivariant,
            clauses: "B4.4.6.6",
            .must,
            requires: "the PATHWAY-ID of #EXT-X-CONTENT-STEERING is the pathway of a variant",
            fix: "correct PATHWAY-ID"
        )
    ) { document in
        let known = Set(document.lists("#EXT-X-STREAM-INF").map { $0.list["PATHWAY-ID"] ?? "." })
        return document.violations(in: ["#EXT-X-CONTENT-STEERING"]) { list in
            guard let id = list["PATHWAY-ID"], !id.isEmpty else { return nil }
            if !id.isAll(of: Letters("A-Za-z0-9._-")) { return "PATHWAY-ID is \(id.prefix(40).debugDescription)" }
            return known.contains(id) ? nil : "no variant has the pathway \(id.prefix(40).debugDescription)"
        }
    }

    static let steering = Check<PlaylistDocument>(
        Rule(
            "steering-pathway",
            in: .multivariant,
            clauses: "A9.18",
            .should,
            requires: "#EXT-X-CONTENT-STEERING has PATHWAY-ID",
            fix: "add PATHWAY-ID"
        )
    ) { document in
        document.violations(in: ["#EXT-X-CONTENT-STEERING"]) { $0["PATHWAY-ID"] == nil ? "PATHWAY-ID is missing" : nil }
    }
}
