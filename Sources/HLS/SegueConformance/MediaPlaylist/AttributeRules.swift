internal import SegueBase
internal import SeguePlaylists

/// The rules on the attributes and values of tags.
enum AttributeRules {
    static let all: [Check<PlaylistDocument>] =
        PlaylistGrammar.tags.sorted { $0.key < $1.key }.map { check($0.key, $0.value) } + [
            empty, values, once, interstitial, again,
        ]

    /// The required attributes of a tag, and the form of each value.
    private static func check(_ name: String, _ tag: PlaylistGrammar.Tag) -> Check<PlaylistDocument> {
        let rule = Rule(
            tag.rule,
            in: .syntax,
            clauses: tag.clauses,
            .must,
            requires: "\(name) has its required attributes, each with a valid value",
            fix: "add or correct the attribute"
        )
        return Check<PlaylistDocument>(rule) { document in
            let definitions = name == "#EXT-X-DEFINE" ? document.violations([.form]) : []
            return definitions
                + document.lists(name).lazy.filter { $0.list.problem == nil }.flatMap { line, list in
                    troubles(list, tag.attributes).map { Violation(document.place(line: line.number), $0) }
                }.violations { $0 }
        }
    }

    private static func troubles(_ list: RawAttributes, _ attributes: [PlaylistGrammar.Attribute]) -> [Message] {
        attributes.compactMap { attribute in
            guard let found = list.found(attribute.name) else {
                return attribute.isNeeded ? "\(attribute.name) is missing" : nil
            }
            // Empty strings have a rule of their own.
            guard !(found.isQuoted && found.value.isEmpty) else { return nil }
            return attribute.form.wanted(found.value, isQuoted: found.isQuoted).map {
                "\(attribute.name) is \(value: shown(found)), expected \($0)"
            }
        }
    }

    private static func shown(_ value: (name: String, value: String, isQuoted: Bool)) -> String {
        let short = value.value.prefix(40)
        return value.isQuoted ? String(short).debugDescription : String(short)
    }

    static let empty = Check<PlaylistDocument>(
        Rule(
            "empty-string",
            in: .syntax,
            clauses: "B4.2",
            .must,
            requires: "quoted strings are not empty, except where a text allows it",
            fix: "write a value, or remove the attribute"
        )
    ) { document in
        document.listed.lazy.flatMap { line -> [Violation] in
            guard let list = line.list, list.values.contains(where: { $0.value.isQuoted && $0.value.text.isEmpty }),
                let tag = PlaylistGrammar.tags[line.tag ?? ""]
            else { return [] }
            return tag.attributes.compactMap { attribute in
                if case .anyString = attribute.form { return nil }
                guard
                    list.values.contains(where: {
                        $0.name == attribute.name && $0.value.isQuoted && $0.value.text.isEmpty
                    })
                else { return nil }
                return Violation(document.place(line: line.number), "\(attribute.name) is empty")
            }
        }.violations { $0 }
    }

    static let values = Check<PlaylistDocument>(
        Rule(
            "tag-value",
            in: .syntax,
            clauses: "R4.3.1.2, R4.3.2.2, R4.3.3, B4.4.1.2, B4.4.3, B4.4.4",
            .must,
            requires: "the value of a tag has the form that the text defines",
            fix: "correct the value"
        )
    ) { document in
        func found(_ name: String, expecting wanted: String, where isGood: (String) -> Bool) -> [Violation] {
            document.tags(name).violations {
                guard !isGood(withoutEnd($0.value)) else { return nil }
                let shown = String($0.value.prefix(40)).debugDescription
                return Violation(document.place(line: $0.number), "\(name) is \(value: shown), expected \(wanted)")
            }
        }
        let whole = ["TARGETDURATION", "MEDIA-SEQUENCE", "DISCONTINUITY-SEQUENCE", "BITRATE"].flatMap { name in
            found("#EXT-X-" + name, expecting: "a whole number") { PlaylistGrammar.Form.isInteger($0) }
        }
        return whole + found("#EXT-X-VERSION", expecting: "a version from 1 to 13") { (1...13).contains(Int($0) ?? 0) }
            + found("#EXT-X-PLAYLIST-TYPE", expecting: "EVENT or VOD") { ["EVENT", "VOD"].contains($0) }
            + found("#EXT-X-BYTERANGE", expecting: "LENGTH or LENGTH@OFFSET") { isRange($0) }
            + document.lists("#EXT-X-MAP").violations { line, list in
                guard let range = list["BYTERANGE"], !isRange(range) else { return nil }
                return Violation(document.place(line: line.number), byteRangeMessage(range))
            }
            + document.lists("#EXT-X-PART").violations { line, list in
                guard let range = list["BYTERANGE"], !isRange(range) else { return nil }
                return Violation(document.place(line: line.number), byteRangeMessage(range))
            }
    }

    private static func byteRangeMessage(_ range: String) -> Message {
        "BYTERANGE is \(value: range.prefix(40).debugDescription), expected LENGTH or LENGTH@OFFSET"
    }

    private static func withoutEnd(_ text: String) -> String {
        // White space has a rule of its own.
        let rest = text.utf8.drop { $0 == 0x20 || $0 == 0x09 }
        return String(Substring(rest.prefix { $0 != 0x20 && $0 != 0x09 }))
    }

    /// Returns true for a length with an optional offset.
    static func isRange(_ text: String) -> Bool {
        let parts = text.utf8.split(separator: UInt8(ascii: "@"), omittingEmptySubsequences: false)
        return (1...2).contains(parts.count) && parts.allSatisfy { PlaylistGrammar.Form.isInteger(Substring($0)) }
    }

    private static let single = [
        "#EXT-X-ENDLIST", "#EXT-X-PLAYLIST-TYPE", "#EXT-X-I-FRAMES-ONLY", "#EXT-X-INDEPENDENT-SEGMENTS", "#EXT-X-START",
        "#EXT-X-PART-INF", "#EXT-X-SERVER-CONTROL", "#EXT-X-SKIP", "#EXT-X-CONTENT-STEERING",
    ]

    static let once = Check<PlaylistDocument>(
        Rule(
            "tag-once",
            in: .syntax,
            clauses: "R4.3.3, R4.3.5, B4.4.2, B4.4.3, B4.4.5, B4.4.6.6",
            .must,
            requires: "a tag about the whole playlist occurs once",
            fix: "remove the repeated tag"
        )
    ) { document in
        single.flatMap { name in
            document.tags(name).dropFirst().violations {
                Violation(document.place(line: $0.number), "\(name) is repeated")
            }
        }
    }

    static let interstitial = Check<PlaylistDocument>(
        Rule(
            "interstitial-attributes",
            in: .dateRanges,
            clauses: "BD.2, BD.3",
            .must,
            requires: "each attribute of an interstitial has a valid value",
            fix: "correct the attribute"
        )
    ) { document in
        document.lists("#EXT-X-DATERANGE").flatMap { line, list -> [Violation] in
            guard list["CLASS"] == "com.apple.hls.interstitial", list.problem == nil else { return [] }
            let label = list["X-SKIP-CONTROL-LABEL-ID"].flatMap { label -> Message? in
                !label.isEmpty && !label.isAll(of: Letters("A-Za-z_-"))
                    ? "X-SKIP-CONTROL-LABEL-ID is \(label.debugDescription), expected letters, _, and - only" : nil
            }
            // date-range-values reports words without quotes.
            let known = PlaylistGrammar.interstitial.filter { attribute in
                list.values.contains {
                    $0.name == attribute.name && ($0.value.isQuoted || $0.value.text.first?.isNumber == true)
                }
            }
            return (troubles(list, known) + [label].compactMap { $0 }).map {
                Violation(document.place(line: line.number), $0)
            }
        }
    }

    static let again = Check<PlaylistDocument>(
        Rule(
            "list-once",
            in: .syntax,
            clauses: "B4.2",
            .should,
            requires: "an enumerated list contains no value twice",
            fix: "remove the repeated value"
        )
    ) { document in
        document.violations(in: ["#EXT-X-DATERANGE"]) { list in
            ["CUE", "X-SNAP", "X-RESTRICT"].first { name in
                let words = (list[name] ?? "").split(separator: ",")
                return Set(words).count < words.count
            }.map { "\($0) is \(list[$0] ?? ""), which repeats a value" }
        }
    }
}

extension PlaylistDocument {
    /// The violations of single tags, by a message about their attributes.
    func violations(in tags: [String], _ message: (RawAttributes) -> Message?) -> [Violation] {
        var all: [Violation] = []
        for tag in tags {
            for (line, list) in lists(tag) {
                guard let message: Message = message(list) else { continue }
                all.append(Violation(place(line: line.number), message))
                if all.count > Violation.limit { return all }
            }
        }
        return all
    }

    /// The violations by comparisons of single tags.
    func violations(in tags: [String], comparing comparison: (RawAttributes) -> Comparison?) -> [Violation] {
        tags.lazy.flatMap { lists($0) }.violations { line, list in
            comparison(list).map { Violation(place(line: line.number), $0) }
        }
    }

    /// The problems of variables, by kind.
    func violations(_ kinds: Set<VariableTrouble.Kind>) -> [Violation] {
        variableTroubles.filter { kinds.contains($0.kind) }.map { Violation(place(line: $0.line), $0.message) }
    }
}
