internal import SeguePlaylists

/// The rules on what attributes and values stand with a tag.
enum AttributeRules {
    static let all: [Check<PlaylistDocument>] =
        PlaylistGrammar.tags.sorted { $0.key < $1.key }.map { check($0.key, $0.value) } + [
            empty, values, once, interstitial, again,
        ]

    /// What a tag has to have is there, and what it has is of its form.
    private static func check(_ name: String, _ tag: PlaylistGrammar.Tag) -> Check<PlaylistDocument> {
        let demand = "\(name) has what it needs, and each attribute a value of its form"
        return Check<PlaylistDocument>(Rule(tag.rule, tag.clauses, .must, demand)) { document in
            let definitions = name == "#EXT-X-DEFINE" ? document.violations([.form]) : []
            return definitions
                + document.lists(name).lazy.filter { $0.list.problem == nil }.flatMap { line, list in
                    troubles(list, tag.attributes).map { Violation(document.place(line: line.number), $0) }
                }.violations { $0 }
        }
    }

    private static func troubles(_ list: RawAttributes, _ attributes: [PlaylistGrammar.Attribute]) -> [String] {
        attributes.compactMap { attribute in
            guard let found = list.found(attribute.name) else {
                return attribute.isNeeded ? "it has no \(attribute.name)" : nil
            }
            // An empty string is found by its own rule.
            guard !(found.isQuoted && found.value.isEmpty) else { return nil }
            return attribute.form.wanted(found.value, isQuoted: found.isQuoted).map {
                "\(attribute.name) is \(shown(found)), not \($0)"
            }
        }
    }

    private static func shown(_ value: (name: String, value: String, isQuoted: Bool)) -> String {
        let short = value.value.prefix(40)
        return value.isQuoted ? String(short).debugDescription : String(short)
    }

    /// A string says something.
    static let empty = Check<PlaylistDocument>(
        Rule("empty-string", "B4.2", .must, "no quoted string is empty but where that is allowed")
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

    /// Tags with a plain value have one of its form.
    static let values = Check<PlaylistDocument>(
        Rule(
            "tag-value",
            "R4.3.1.2, R4.3.2.2, R4.3.3, B4.4.1.2, B4.4.3, B4.4.4",
            .must,
            "a tag with a plain value has one of its form"
        )
    ) { document in
        func found(_ name: String, _ wanted: String, _ isGood: (String) -> Bool) -> [Violation] {
            document.tags(name).violations {
                guard !isGood(withoutEnd($0.value)) else { return nil }
                let shown = String($0.value.prefix(40)).debugDescription
                return Violation(document.place(line: $0.number), "\(name) is \(shown), not \(wanted)")
            }
        }
        let whole = ["TARGETDURATION", "MEDIA-SEQUENCE", "DISCONTINUITY-SEQUENCE", "BITRATE"].flatMap { name in
            found("#EXT-X-" + name, "a whole number") { PlaylistGrammar.Form.isInteger($0) }
        }
        return whole + found("#EXT-X-VERSION", "a version from 1 to 13") { (1...13).contains(Int($0) ?? 0) }
            + found("#EXT-X-PLAYLIST-TYPE", "EVENT or VOD") { ["EVENT", "VOD"].contains($0) }
            + found("#EXT-X-BYTERANGE", "LENGTH or LENGTH@OFFSET") { isRange($0) }
            + document.lists("#EXT-X-MAP").violations { line, list in
                guard let range = list["BYTERANGE"], !isRange(range) else { return nil }
                return Violation(document.place(line: line.number), "BYTERANGE is \(range.prefix(40).debugDescription)")
            }
            + document.lists("#EXT-X-PART").violations { line, list in
                guard let range = list["BYTERANGE"], !isRange(range) else { return nil }
                return Violation(document.place(line: line.number), "BYTERANGE is \(range.prefix(40).debugDescription)")
            }
    }

    private static func withoutEnd(_ text: String) -> String {
        // White space has a rule of its own.
        let rest = text.utf8.drop { $0 == 0x20 || $0 == 0x09 }
        return String(Substring(rest.prefix { $0 != 0x20 && $0 != 0x09 }))
    }

    /// A length above zero, and perhaps an offset.
    static func isRange(_ text: String) -> Bool {
        let parts = text.utf8.split(separator: UInt8(ascii: "@"), omittingEmptySubsequences: false)
        return (1...2).contains(parts.count) && parts.allSatisfy { PlaylistGrammar.Form.isInteger(Substring($0)) }
    }

    private static let single = [
        "#EXT-X-ENDLIST", "#EXT-X-PLAYLIST-TYPE", "#EXT-X-I-FRAMES-ONLY", "#EXT-X-INDEPENDENT-SEGMENTS", "#EXT-X-START",
        "#EXT-X-PART-INF", "#EXT-X-SERVER-CONTROL", "#EXT-X-SKIP", "#EXT-X-CONTENT-STEERING",
    ]

    /// What is said of the whole is said once.
    static let once = Check<PlaylistDocument>(
        Rule(
            "tag-once",
            "R4.3.3, R4.3.5, B4.4.2, B4.4.3, B4.4.5, B4.4.6.6",
            .must,
            "a tag about the whole playlist stands once"
        )
    ) { document in
        single.flatMap { name in
            document.tags(name).dropFirst().violations {
                Violation(document.place(line: $0.number), "\(name) is there again")
            }
        }
    }

    /// What a date range of interstitials has is of its form.
    static let interstitial = Check<PlaylistDocument>(
        Rule(
            "interstitial-attributes",
            "BD.2, BD.3",
            .must,
            "each attribute of an interstitial has a value of its form"
        )
    ) { document in
        document.lists("#EXT-X-DATERANGE").flatMap { line, list -> [Violation] in
            guard list["CLASS"] == "com.apple.hls.interstitial", list.problem == nil else { return [] }
            let label = list["X-SKIP-CONTROL-LABEL-ID"].flatMap { label in
                !label.isEmpty && !label.isAll(of: Letters("A-Za-z_-"))
                    ? "X-SKIP-CONTROL-LABEL-ID is \(label.debugDescription)" : nil
            }
            // A word without quotes is no value of any attribute that authors add, which is found already.
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

    /// A list says each thing once.
    static let again = Check<PlaylistDocument>(
        Rule("list-once", "B4.2", .should, "no list of words has one twice")
    ) { document in
        document.violations(in: ["#EXT-X-DATERANGE"]) { list in
            ["CUE", "X-SNAP", "X-RESTRICT"].first { name in
                let words = (list[name] ?? "").split(separator: ",")
                return Set(words).count < words.count
            }.map { "\($0) is \(list[$0] ?? "")" }
        }
    }
}

extension PlaylistDocument {
    /// What is wrong with the attributes of tags, each seen by itself.
    func violations(in tags: [String], _ message: (RawAttributes) -> String?) -> [Violation] {
        var all: [Violation] = []
        for tag in tags {
            for (line, list) in lists(tag) {
                guard let message = message(list) else { continue }
                all.append(Violation(place(line: line.number), message))
                if all.count > Violation.most { return all }
            }
        }
        return all
    }

    /// What is wrong with variables, of these kinds.
    func violations(_ kinds: Set<VariableTrouble.Kind>) -> [Violation] {
        variableTroubles.filter { kinds.contains($0.kind) }.map { Violation(place(line: $0.line), $0.message) }
    }
}
