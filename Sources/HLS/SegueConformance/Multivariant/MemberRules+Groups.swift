internal import SegueBase

/// The rules that compare rendition groups.
extension MemberRules {
    private struct Group {
        let type: String
        let id: String
        var members: [(line: Int, list: RawAttributes)]

        /// The members with a name.
        var named: [(name: String, list: RawAttributes)] {
            members.compactMap { member in member.list["NAME"].map { ($0, member.list) } }
        }
    }

    private static func groups(_ document: PlaylistDocument) -> [Group] {
        var all: [Group] = []
        var indices: [[String]: Int] = [:]
        for (line, list) in document.lists("#EXT-X-MEDIA") {
            guard let type = list["TYPE"], let id = list["GROUP-ID"] else { continue }
            if let index = indices[[type, id]] {
                all[index].members.append((line.number, list))
            } else {
                indices[[type, id]] = all.count
                all.append(Group(type: type, id: id, members: [(line.number, list)]))
            }
        }
        return all
    }

    static let alike = Check<PlaylistDocument>(
        Rule(
            "member-alike",
            in: .multivariant,
            clauses: "R4.3.4.1.1, B4.4.6.1.1",
            .should,
            requires: "members with AUTOSELECT differ in LANGUAGE, ASSOC-LANGUAGE, FORCED, or CHARACTERISTICS",
            fix: "change one of these attributes"
        )
    ) { document in
        groups(document).flatMap { group -> [Violation] in
            var seen: [[String]: String] = [:]
            return group.members.violations { line, list in
                guard list["AUTOSELECT"] == "YES" else { return nil }
                let key = [
                    list["LANGUAGE"] ?? "", list["ASSOC-LANGUAGE"] ?? "", list["FORCED"] ?? "NO",
                    list["CHARACTERISTICS"] ?? "",
                ]
                guard let former = seen.updateValue(list["NAME"] ?? "", forKey: key) else { return nil }
                return Violation(
                    document.place(line: line),
                    "the attributes do not distinguish the member from \(former.debugDescription)"
                )
            }
        }
    }

    /// The first group of its type with its members by name.
    private struct FirstGroup {
        let id: String
        let members: [String: RawAttributes]
        let names: [String]

        init(_ group: Group) {
            id = group.id
            members = Dictionary(group.named.map { ($0.name, $0.list) }, uniquingKeysWith: { first, _ in first })
            names = members.keys.sorted()
        }
    }

    /// The first group of each type paired with each other group of the type.
    private static func pairs(_ document: PlaylistDocument) -> [(FirstGroup, Group)] {
        var first: [String: FirstGroup] = [:]
        return groups(document).compactMap { group in
            guard let former = first[group.type] else {
                first[group.type] = FirstGroup(group)
                return nil
            }
            return (former, group)
        }
    }

    static let sameMembers = Check<PlaylistDocument>(
        Rule(
            "group-members",
            in: .multivariant,
            clauses: "R4.3.4.1.1, B4.4.6.1.1",
            .must,
            requires: "groups of one TYPE have the same members",
            fix: "add the missing member"
        )
    ) { document in
        pairs(document).violations { former, next in
            let names = Set(next.named.map(\.name))
            let missing = former.names.first { !names.contains($0) }
            let more = names.filter { former.members[$0] == nil }.min()
            guard let odd = [missing, more].compactMap({ $0 }).min() else { return nil }
            let (owner, other) = odd == missing ? (former.id, next.id) : (next.id, former.id)
            let message: Message =
                "the group \(owner.debugDescription) has the member \(odd.debugDescription), "
                + "the group \(other.debugDescription) does not"
            return Violation(document.place(line: next.members[0].line), message)
        }
    }

    private static let mayDiffer: Set<String> = [
        "GROUP-ID", "URI", "CHANNELS", "BIT-DEPTH", "SAMPLE-RATE", "STABLE-RENDITION-ID", "INSTREAM-ID",
    ]

    /// The known attributes that must be equal in all groups.
    private static let isSame = (PlaylistGrammar.tags["#EXT-X-MEDIA"]?.attributes.map(\.name) ?? [])
        .filter { !mayDiffer.contains($0) }.sorted()

    static let sameAttributes = Check<PlaylistDocument>(
        Rule(
            "group-attributes",
            in: .multivariant,
            clauses: "R4.3.4.1.1, B4.4.6.1.1",
            .must,
            requires:
                "members with one NAME in groups of one TYPE have the same attributes, except URI, CHANNELS, and similar",
            fix: "write the same attributes"
        )
    ) { document in
        // NO is the default.
        func value(_ list: RawAttributes, _ name: String) -> String? {
            ["DEFAULT", "AUTOSELECT", "FORCED"].contains(name) ? list[name] ?? "NO" : list[name]
        }
        return pairs(document).flatMap { former, next in
            next.members.compactMap { line, list -> Violation? in
                guard let other = list["NAME"].flatMap({ former.members[$0] }),
                    let name = isSame.first(where: { value(other, $0) != value(list, $0) })
                else { return nil }
                let message: Message =
                    "\(name) is \(list[name] ?? "missing"), in group \(former.id) \(other[name] ?? "missing")"
                return Violation(document.place(line: line), message)
            }
        }
    }
}
