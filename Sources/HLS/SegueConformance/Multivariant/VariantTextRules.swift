internal import SeguePlaylists

/// The rules on what variants say of themselves, which can be seen without their media.
enum VariantTextRules {
    static let all: [Check<PlaylistDocument>] = [
        codecForms, codecTwice, averages, twice, scores, supplemental, layout, layoutNeeded, protection, stableForm,
        stableSame, pathway, steering,
    ]

    private static let tags = ["#EXT-X-STREAM-INF", "#EXT-X-I-FRAME-STREAM-INF"]

    /// Codecs are told as their own texts tell them.
    static let codecForms = Check<PlaylistDocument>(
        Rule(
            "codecs-form",
            "R4.3.4.2, B4.4.6.2",
            .must,
            "CODECS is formats as RFC 6381 and the codecs' texts write them"
        )
    ) { document in
        document.violations(in: tags) { list in
            guard list["CODECS"]?.isEmpty == false else { return nil }
            return document.codecs(list).first { !$0.isWellFormed }.map {
                "\($0.name.prefix(40).debugDescription) is none"
            }
        }
    }

    /// A format that is there need not be told twice.
    static let codecTwice = Check<PlaylistDocument>(
        Rule("codecs-once", "own", .advice, "CODECS has no format twice")
    ) { document in
        document.violations(in: tags) { list in
            var seen: Set<String> = []
            return document.codecs(list).map(\.name).first { !$0.isEmpty && !seen.insert($0).inserted }.map {
                "it has \($0) twice"
            }
        }
    }

    /// No average is above the peak.
    static let averages = Check<PlaylistDocument>(
        Rule("average-above", "R4.3.4.2, B4.4.6.2", .must, "AVERAGE-BANDWIDTH is not above BANDWIDTH")
    ) { document in
        document.violations(in: tags) { list in
            guard let peak = list["BANDWIDTH"].flatMap({ Int($0) }), peak > 0,
                let average = list["AVERAGE-BANDWIDTH"].flatMap({ Int($0) }), average > peak
            else { return nil }
            return "it is \(average), BANDWIDTH \(peak)"
        }
    }

    /// What is there once is listed once.
    static let twice = Check<PlaylistDocument>(
        Rule("variant-once", "own", .advice, "no two variants differ in their bit rates alone and have one URI")
    ) { document in
        var seen: Set<[String]> = []
        return document.lists("#EXT-X-STREAM-INF").violations { line, list in
            guard let uri = document.uri(after: line) else { return nil }
            let rest = list.values.filter { !$0.name.hasSuffix("BANDWIDTH") }.map { "\($0.name)=\($0.value.text)" }
                .sorted()
            guard !seen.insert(rest + [uri]).inserted else { return nil }
            return Violation(document.place(line: line.number), "\(uri.prefix(60)) is there already")
        }
    }

    /// Either all have a rank or none.
    static let scores = Check<PlaylistDocument>(
        Rule("score-all", "B4.4.6.2 should, A9.19", .must, "SCORE stands with all variants or with none")
    ) { document in
        let all = document.lists("#EXT-X-STREAM-INF")
        guard all.contains(where: { $0.list["SCORE"] != nil }),
            let other = all.first(where: { $0.list["SCORE"] == nil })
        else { return [] }
        return [Violation(document.place(line: other.line.number), "it has no SCORE, another variant has")]
    }

    /// The beginnings of codecs with the layers below them.
    private static let bases = [
        "dvh1": ["hvc1", "hev1"], "dvhe": ["hev1", "hvc1"], "dav1": ["av01"], "dva1": ["avc1", "avc3"],
        "dvav": ["avc3", "avc1"],
    ]

    /// What is more than a codec stands on it.
    static let supplemental = Check<PlaylistDocument>(
        Rule(
            "supplemental-codecs",
            "B4.4.6.2",
            .must,
            "SUPPLEMENTAL-CODECS is codecs with brands, whose base layers CODECS has"
        )
    ) { document in
        document.violations(in: tags) { list in
            guard let text = list["SUPPLEMENTAL-CODECS"], !text.isEmpty else { return nil }
            let codecs = document.codecs(list).map { $0.name.prefix(4) }
            for item in StatedCodec.items(text) {
                guard isCodecWithBrands(item) else {
                    return "\(item.prefix(40).debugDescription) is no codec with brands"
                }
                let start = String(item.prefix(4))
                let wanted = bases[start] ?? [start]
                guard wanted.contains(where: { codecs.contains($0[...]) }) else {
                    return "CODECS has no \(wanted[0]) for \(item.prefix(40))"
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

    /// What a view needs is of what is known.
    static let layout = Check<PlaylistDocument>(
        Rule(
            "video-layout",
            "B4.4.6.2",
            .must,
            "REQ-VIDEO-LAYOUT is entries of one channel layout and one projection, none of them empty"
        )
    ) { document in
        document.violations(in: tags) { list in
            guard let text = list["REQ-VIDEO-LAYOUT"], !text.isEmpty else { return nil }
            for entry in text.split(separator: ",", omittingEmptySubsequences: false) {
                let words = entry.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
                let isGood =
                    words.allSatisfy { (channels + projections).contains($0) }
                    && words.count(where: channels.contains) <= 1 && words.count(where: projections.contains) <= 1
                if !isGood { return "the entry \(String(entry.prefix(40)).debugDescription) is none" }
            }
            return nil
        }
    }

    /// What every view has needs no word.
    static let layoutNeeded = Check<PlaylistDocument>(
        Rule("video-layout-needed", "B4.4.6.2", .should, "REQ-VIDEO-LAYOUT says more than one flat picture")
    ) { document in
        document.violations(in: tags) { list in
            guard let text = list["REQ-VIDEO-LAYOUT"] else { return nil }
            let words = Set(text.split(whereSeparator: { ",/".contains($0) }).map(String.init))
            return !words.isEmpty && words.isSubset(of: ["CH-MONO", "PROJ-RECT"]) ? "it says \(text)" : nil
        }
    }

    /// What may play has a format and labels.
    static let protection = Check<PlaylistDocument>(
        Rule("allowed-cpc", "B4.4.6.2", .must, "ALLOWED-CPC is key formats with labels")
    ) { document in
        document.violations(in: tags) { list in
            guard let text = list["ALLOWED-CPC"], !text.isEmpty else { return nil }
            return StatedCodec.items(text).first { !isFormatWithLabels($0) }.map {
                "\($0.prefix(40).debugDescription) is none"
            }
        }
    }

    private static func isFormatWithLabels(_ text: String) -> Bool {
        let parts = text.utf8.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
        guard parts.count == 2, !parts[0].isEmpty else { return false }
        // Apple's own labels have small letters.
        return parts[1].isEmpty
            || parts[1].split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false).allSatisfy {
                Substring($0).isAll(of: Letters("A-Za-z0-9-"))
            }
    }

    private static let stable = [
        ("#EXT-X-STREAM-INF", "STABLE-VARIANT-ID"), ("#EXT-X-I-FRAME-STREAM-INF", "STABLE-VARIANT-ID"),
        ("#EXT-X-MEDIA", "STABLE-RENDITION-ID"),
    ]

    /// What is to last has a plain name.
    static let stableForm = Check<PlaylistDocument>(
        Rule("stable-id", "B4.4.6.1, B4.4.6.2", .must, "stable names are of letters, digits and + / = . - _")
    ) { document in
        stable.flatMap { tag, name in
            document.violations(in: [tag]) { list in
                guard let id = list[name], !id.isEmpty, !id.isAll(of: Letters("A-Za-z0-9+/=._-")) else {
                    return nil
                }
                return "\(name) is \(id.prefix(40).debugDescription)"
            }
        }
    }

    /// One playlist has one lasting name.
    static let stableSame = Check<PlaylistDocument>(
        Rule(
            "stable-id-same",
            "B4.4.6.1, B4.4.6.2",
            .should,
            "tags with one URI have one stable name, and members of a group with others have others"
        )
    ) { document in
        others(document)
            + stable.flatMap { tag, name -> [Violation] in
                var known: [String: String] = [:]
                return document.lists(tag).violations { line, list in
                    guard let id = list[name],
                        let uri = list["URI"] ?? (tag == "#EXT-X-STREAM-INF" ? document.uri(after: line) : nil),
                        let former = known.updateValue(id, forKey: uri), former != id
                    else { return nil }
                    return Violation(
                        document.place(line: line.number),
                        "\(uri.prefix(60)) was \(former) before, now \(id)"
                    )
                }
            }
    }

    /// Members of a group that are told apart by their URIs alone.
    private static func others(_ document: PlaylistDocument) -> [Violation] {
        var known: [[String]: String] = [:]
        return document.lists("#EXT-X-MEDIA").violations { line, list in
            guard let id = list["STABLE-RENDITION-ID"], let uri = list["URI"],
                let former = known.updateValue(uri, forKey: [list["TYPE"] ?? "", list["GROUP-ID"] ?? "", id]),
                former != uri
            else { return nil }
            let message = "\(id.prefix(40).debugDescription) is \(former.prefix(60)) already, and now \(uri.prefix(60))"
            return Violation(document.place(line: line.number), message)
        }
    }

    /// The way that is taken first is there.
    static let pathway = Check<PlaylistDocument>(
        Rule("pathway-known", "B4.4.6.6", .must, "the PATHWAY-ID of #EXT-X-CONTENT-STEERING is of a variant")
    ) { document in
        let known = Set(document.lists("#EXT-X-STREAM-INF").map { $0.list["PATHWAY-ID"] ?? "." })
        return document.violations(in: ["#EXT-X-CONTENT-STEERING"]) { list in
            guard let id = list["PATHWAY-ID"], !id.isEmpty else { return nil }
            if !id.isAll(of: Letters("A-Za-z0-9._-")) { return "it is \(id.prefix(40).debugDescription)" }
            return known.contains(id) ? nil : "no variant has \(id.prefix(40).debugDescription)"
        }
    }

    /// Who is steered is told where to begin.
    static let steering = Check<PlaylistDocument>(
        Rule("steering-pathway", "A9.18", .should, "#EXT-X-CONTENT-STEERING has PATHWAY-ID")
    ) { document in
        document.violations(in: ["#EXT-X-CONTENT-STEERING"]) { $0["PATHWAY-ID"] == nil ? "it has none" : nil }
    }
}
