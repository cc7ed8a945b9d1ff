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
                ? id.wholeMatch(of: /CC[1-4]|SERVICE([1-9]|[1-5][0-9]|6[0-3])/) != nil
                : id.wholeMatch(of: /[A-Za-z0-9.]+/) != nil
            return isGood ? nil : "INSTREAM-ID is \(id.prefix(40).debugDescription)"
        }
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
            let isCount = parts[0].wholeMatch(of: /[1-9][0-9]{0,4}/) != nil
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
        let form = /([A-Za-z]{2,8}(-[A-Za-z0-9]{1,8})*)|([xXiI](-[A-Za-z0-9]{1,8})+)/
        return (document.lists("#EXT-X-MEDIA") + document.lists("#EXT-X-SESSION-DATA")).flatMap { line, list in
            ["LANGUAGE", "ASSOC-LANGUAGE"].compactMap { name in
                guard let text = list[name], !text.isEmpty, text.wholeMatch(of: form) == nil else { return nil }
                let shown = text.prefix(40).debugDescription
                return Violation(document.place(line: line.number), "\(name) is \(shown)")
            }
        }
    }

    private struct Group {
        let type: String
        let id: String
        var members: [(line: Int, list: RawAttributes)]
    }

    private static func groups(_ document: PlaylistDocument) -> [Group] {
        var all: [Group] = []
        for (line, list) in document.lists("#EXT-X-MEDIA") {
            guard let type = list["TYPE"], let id = list["GROUP-ID"] else { continue }
            if let index = all.firstIndex(where: { $0.type == type && $0.id == id }) {
                all[index].members.append((line.number, list))
            } else {
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
            return group.members.compactMap { line, list in
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

    /// The first group of each type with each of the others.
    private static func pairs(_ document: PlaylistDocument) -> [(Group, Group)] {
        let all = groups(document)
        return all.indices.compactMap { index in
            all[..<index].first { $0.type == all[index].type }.map { ($0, all[index]) }
        }
    }

    /// Who chooses a group has the same choice.
    static let sameMembers = Check<PlaylistDocument>(
        Rule("group-members", "R4.3.4.1.1, B4.4.6.1.1", .must, "groups of one TYPE have the same members")
    ) { document in
        pairs(document).compactMap { former, next in
            let names = Set(former.members.compactMap { $0.list["NAME"] })
            let others = Set(next.members.compactMap { $0.list["NAME"] })
            guard let odd = names.symmetricDifference(others).min() else { return nil }
            let owner = names.contains(odd) ? former.id : next.id
            let message = "of \(former.id) and \(next.id), only \(owner) has \(odd.debugDescription)"
            return Violation(document.place(line: next.members[0].line), message)
        }
    }

    private static let mayDiffer: Set<String> = [
        "GROUP-ID", "URI", "CHANNELS", "BIT-DEPTH", "SAMPLE-RATE", "STABLE-RENDITION-ID", "INSTREAM-ID",
    ]

    /// Who changes the group finds the same.
    static let sameAttributes = Check<PlaylistDocument>(
        Rule(
            "group-attributes",
            "R4.3.4.1.1, B4.4.6.1.1",
            .must,
            "members of one NAME in groups of one TYPE agree, but in URI, CHANNELS and the like"
        )
    ) { document in
        pairs(document).flatMap { former, next in
            next.members.compactMap { line, list -> Violation? in
                guard let other = former.members.first(where: { $0.list["NAME"] == list["NAME"] })?.list else {
                    return nil
                }
                // What the texts do not know may be of any group.
                let names = Set(PlaylistGrammar.tags["#EXT-X-MEDIA"]?.attributes.map(\.name) ?? [])
                    .subtracting(mayDiffer)
                // NO is what is not said.
                func value(_ list: RawAttributes, _ name: String) -> String? {
                    ["DEFAULT", "AUTOSELECT", "FORCED"].contains(name) ? list[name] ?? "NO" : list[name]
                }
                guard let name = names.sorted().first(where: { value(other, $0) != value(list, $0) }) else {
                    return nil
                }
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
