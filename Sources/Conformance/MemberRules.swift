/// The rules on what renditions say of themselves, and on groups of them.
enum MemberRules {
    static let all: [Check<PlaylistDocument>] = [
        stream, soundOnly, channels, languages, alike, sameMembers, sameAttributes, traits, descriptionChosen,
        deaf, deafChosen, forcedChosen,
    ]

    /// Captions are one of those that a picture can hold.
    static let stream = Check<PlaylistDocument>(
        Rule(
            "member-stream",
            "R4.3.4.1, B4.4.6.1",
            .must,
            "INSTREAM-ID of captions is CC1 to CC4, or SERVICE1 to SERVICE63"
        )
    ) { document in
        document.violations(in: ["#EXT-X-MEDIA"]) { list in
            guard let id = list["INSTREAM-ID"], !id.isEmpty else { return nil }
            // Since version 13, other renditions are told apart by plain names.
            let isGood =
                list["TYPE"] == "CLOSED-CAPTIONS"
                ? isCaptions(id) : id.isAll(of: Letters("A-Za-z0-9."))
            return isGood ? nil : "INSTREAM-ID is \(id.prefix(40).debugDescription)"
        }
    }

    private static func isCaptions(_ id: String) -> Bool {
        var reader = FormReader(id)
        if reader.takes("CC") { return reader.one(of: Letters("1-4")) != nil && reader.isAtEnd }
        guard reader.takes("SERVICE"), reader.rest.first != UInt8(ascii: "0"), let number = reader.number(1...2) else {
            return false
        }
        return (1...63).contains(number) && reader.isAtEnd
    }

    /// Only sound has samples and channels.
    static let soundOnly = Check<PlaylistDocument>(
        Rule("member-sound-only", "B4.4.6.1", .must, "BIT-DEPTH, SAMPLE-RATE and CHANNELS stand with sound only")
    ) { document in
        document.violations(in: ["#EXT-X-MEDIA"]) { list in
            guard let type = list["TYPE"], type != "AUDIO" else { return nil }
            return ["BIT-DEPTH", "SAMPLE-RATE", "CHANNELS"].first { list[$0] != nil }.map {
                "\($0) stands with \(type)"
            }
        }
    }

    /// Channels are counted first.
    static let channels = Check<PlaylistDocument>(
        Rule(
            "channels-form",
            "R4.3.4.1, B4.4.6.1",
            .must,
            "CHANNELS is a count, then perhaps codings and usages with / between"
        )
    ) { document in
        document.violations(in: ["#EXT-X-MEDIA"]) { list in
            guard let text = list["CHANNELS"], !text.isEmpty else { return nil }
            let parts = text.split(separator: "/", omittingEmptySubsequences: false)
            let isCount = parts[0].isAll(of: .digits) && parts[0].utf8.count <= 5 && parts[0].first != "0"
            return isCount && parts.allSatisfy { !$0.isEmpty } ? nil : "CHANNELS is \(text.prefix(40).debugDescription)"
        }
    }

    /// A language is told as RFC 5646 writes it: subtags of letters and digits.
    static let languages = Check<PlaylistDocument>(
        Rule(
            "language-form",
            "R4.3.4.1, R4.3.4.4, B4.4.6.1, B4.4.6.4",
            .must,
            "LANGUAGE and ASSOC-LANGUAGE are tags as RFC 5646 has them"
        )
    ) { document in
        (document.lists("#EXT-X-MEDIA") + document.lists("#EXT-X-SESSION-DATA")).lazy.flatMap { line, list in
            ["LANGUAGE", "ASSOC-LANGUAGE"].compactMap { name in
                guard let text = list[name], !text.isEmpty, !isLanguage(text) else { return nil }
                let shown = text.prefix(40).debugDescription
                return Violation(document.place(line: line.number), "\(name) is \(shown)")
            }
        }.violations { $0 }
    }

    private static func isLanguage(_ text: String) -> Bool {
        let parts = text.utf8.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
        guard let first = parts.first, Substring(first).isAll(of: .alphabet), first.count <= 8,
            parts.dropFirst().allSatisfy({ Substring($0).isAll(of: .words) && $0.count <= 8 })
        else { return false }
        // One letter begins what is for private use or was registered as a whole.
        return first.count >= 2 || (parts.count > 1 && ["x", "X", "i", "I"].contains(Substring(first)))
    }

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

    private static func isOf(_ list: RawAttributes, _ trait: String) -> Bool {
        (list["CHARACTERISTICS"] ?? "").split(separator: ",").contains { $0 == trait }
    }

    private static let spoken = "public.accessibility.transcribes-spoken-dialog"
    private static let sounds = "public.accessibility.describes-music-and-sound"
    private static let video = "public.accessibility.describes-video"

    /// What a rendition is like is told in items.
    static let traits = Check<PlaylistDocument>(
        Rule(
            "characteristics-form",
            "R4.3.4.1, B4.4.6.1",
            .must,
            "CHARACTERISTICS is names with commas between, none of them empty"
        )
    ) { document in
        document.violations(in: ["#EXT-X-MEDIA"]) { list in
            guard let text = list["CHARACTERISTICS"], !text.isEmpty,
                text.split(separator: ",", omittingEmptySubsequences: false).contains(where: \.isEmpty)
            else { return nil }
            return "CHARACTERISTICS is \(text.prefix(60).debugDescription)"
        }
    }

    /// A description may be chosen.
    static let descriptionChosen = Check<PlaylistDocument>(
        Rule("description-autoselect", "A2.13", .must, "sound that describes the video has AUTOSELECT=YES")
    ) { document in
        document.violations(in: ["#EXT-X-MEDIA"]) { list in
            list["TYPE"] == "AUDIO" && isOf(list, video) && list["AUTOSELECT"] != "YES" ? "it has not" : nil
        }
    }

    /// Subtitles for the deaf say all.
    static let deaf = Check<PlaylistDocument>(
        Rule(
            "deaf-characteristics",
            "A4.5",
            .must,
            "subtitles that transcribe dialogue or describe sound say in CHARACTERISTICS that they do both"
        )
    ) { document in
        document.violations(in: ["#EXT-X-MEDIA"]) { list in
            guard list["TYPE"] == "SUBTITLES", isOf(list, spoken) != isOf(list, sounds) else { return nil }
            return isOf(list, spoken) ? "they only transcribe" : "they only describe"
        }
    }

    /// Subtitles for the deaf may be chosen.
    static let deafChosen = Check<PlaylistDocument>(
        Rule("deaf-autoselect", "A4.6", .must, "subtitles for the deaf have AUTOSELECT=YES")
    ) { document in
        document.violations(in: ["#EXT-X-MEDIA"]) { list in
            guard list["TYPE"] == "SUBTITLES", isOf(list, spoken), isOf(list, sounds) else { return nil }
            return list["AUTOSELECT"] == "YES" ? nil : "they have not"
        }
    }

    /// What is to be shown anyway may be chosen.
    static let forcedChosen = Check<PlaylistDocument>(
        Rule("forced-autoselect", "A5.11", .should, "forced subtitles have AUTOSELECT=YES")
    ) { document in
        document.violations(in: ["#EXT-X-MEDIA"]) { list in
            guard list["TYPE"] == "SUBTITLES", list["FORCED"] == "YES" else { return nil }
            return list["AUTOSELECT"] == "YES" ? nil : "they have not"
        }
    }
}
