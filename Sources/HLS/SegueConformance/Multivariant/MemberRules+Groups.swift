/// The rules on groups of renditions beside one another.
extension MemberRules {
    private struct Group {
        let type: String
        let id: String
        var members: [(line: Int, list: RawAttributes)]

        /// Those that have a name.
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

    /// A player that chooses can tell them apart.
    static let alike = Check<PlaylistDocument>(
        Rule(
            "member-alike",
            "R4.3.4.1.1, B4.4.6.1.1",
            .should,
            "members with AUTOSELECT differ in LANGUAGE, ASSOC-LANGUAGE, FORCED or CHARACTERISTICS"
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
                return Violation(document.place(line: line), "it is told like \(former.debugDescription)")
            }
        }
    }

    /// The first group of its type, with its members by their names.
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

    /// The first group of each type with each of the others.
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

    /// Who chooses a group has the same choice.
    static let sameMembers = Check<PlaylistDocument>(
        Rule("group-members", "R4.3.4.1.1, B4.4.6.1.1", .must, "groups of one TYPE have the same members")
    ) { document in
        pairs(document).violations { former, next in
            let names = Set(next.named.map(\.name))
            let missing = former.names.first { !names.contains($0) }
            let more = names.filter { former.members[$0] == nil }.min()
            guard let odd = [missing, more].compactMap({ $0 }).min() else { return nil }
            let owner = odd == missing ? former.id : next.id
            let message = "of \(former.id) and \(next.id), only \(owner) has \(odd.debugDescription)"
            return Violation(document.place(line: next.members[0].line), message)
        }
    }

    private static let mayDiffer: Set<String> = [
        "GROUP-ID", "URI", "CHANNELS", "BIT-DEPTH", "SAMPLE-RATE", "STABLE-RENDITION-ID", "INSTREAM-ID",
    ]

    /// What is the same in each group; what the texts do not know may be of any.
    private static let isSame = (PlaylistGrammar.tags["#EXT-X-MEDIA"]?.attributes.map(\.name) ?? [])
        .filter { !mayDiffer.contains($0) }.sorted()

    /// Who changes the group finds the same.
    static let sameAttributes = Check<PlaylistDocument>(
        Rule(
            "group-attributes",
            "R4.3.4.1.1, B4.4.6.1.1",
            .must,
            "members of one NAME in groups of one TYPE agree, but in URI, CHANNELS and the like"
        )
    ) { document in
        // NO is what is not said.
        func value(_ list: RawAttributes, _ name: String) -> String? {
            ["DEFAULT", "AUTOSELECT", "FORCED"].contains(name) ? list[name] ?? "NO" : list[name]
        }
        return pairs(document).flatMap { former, next in
            next.members.compactMap { line, list -> Violation? in
                guard let other = list["NAME"].flatMap({ former.members[$0] }),
                    let name = isSame.first(where: { value(other, $0) != value(list, $0) })
                else { return nil }
                let message = "\(name) is \(list[name] ?? "missing"), in \(former.id) \(other[name] ?? "missing")"
                return Violation(document.place(line: line), message)
            }
        }
    }
}
