internal import SegueBase

/// The rules on the attributes of renditions.
enum MemberRules {
    static let all: [Check<PlaylistDocument>] = [
        stream, audioOnly, channels, languages, alike, sameMembers, sameAttributes, traits, descriptionChosen,
        deaf, deafChosen, forcedChosen,
    ]

    static let stream = Check<PlaylistDocument>(
        Rule(
            "member-stream",
            in: .multivariant,
            clauses: "R4.3.4.1, B4.4.6.1",
            .must,
            requires: "INSTREAM-ID of captions is CC1 to CC4, or SERVICE1 to SERVICE63",
            fix: "correct INSTREAM-ID"
        )
    ) { document in
        document.violations(in: ["#EXT-X-MEDIA"]) { list in
            guard let id = list["INSTREAM-ID"], !id.isEmpty else { return nil }
            // From version 13, INSTREAM-ID identifies other renditions also.
            let isGood =
                list["TYPE"] == "CLOSED-CAPTIONS"
                ? isCaptions(id) : id.isAll(of: Letters("A-Za-z0-9."))
            return isGood
                ? nil : "INSTREAM-ID is \(id.prefix(40).debugDescription), expected CC1 to CC4 or SERVICE1 to SERVICE63"
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

    static let audioOnly = Check<PlaylistDocument>(
        Rule(
            "member-sound-only",
            in: .multivariant,
            clauses: "B4.4.6.1",
            .must,
            requires: "BIT-DEPTH, SAMPLE-RATE, and CHANNELS occur on audio only",
            fix: "remove the attribute"
        )
    ) { document in
        document.violations(in: ["#EXT-X-MEDIA"]) { list in
            guard let type = list["TYPE"], type != "AUDIO" else { return nil }
            return ["BIT-DEPTH", "SAMPLE-RATE", "CHANNELS"].first { list[$0] != nil }.map {
                "\($0) occurs beside TYPE=\(type)"
            }
        }
    }

    static let channels = Check<PlaylistDocument>(
        Rule(
            "channels-form",
            in: .multivariant,
            clauses: "R4.3.4.1, B4.4.6.1",
            .must,
            requires: "CHANNELS is a count, optionally followed by /-separated codings and usages",
            fix: "write a value such as 6 or 16/JOC"
        )
    ) { document in
        document.violations(in: ["#EXT-X-MEDIA"]) { list in
            guard let text = list["CHANNELS"], !text.isEmpty else { return nil }
            let parts = text.split(separator: "/", omittingEmptySubsequences: false)
            let isCount = parts[0].isAll(of: .digits) && parts[0].utf8.count <= 5 && parts[0].first != "0"
            return isCount && parts.allSatisfy { !$0.isEmpty }
                ? nil : "CHANNELS is \(text.prefix(40).debugDescription), expected a value such as 6 or 16/JOC"
        }
    }

    static let languages = Check<PlaylistDocument>(
        Rule(
            "language-form",
            in: .multivariant,
            clauses: "R4.3.4.1, R4.3.4.4, B4.4.6.1, B4.4.6.4",
            .must,
            requires: "LANGUAGE and ASSOC-LANGUAGE are RFC 5646 tags",
            fix: "write a tag such as en or pt-BR"
        )
    ) { document in
        (document.lists("#EXT-X-MEDIA") + document.lists("#EXT-X-SESSION-DATA")).lazy.flatMap { line, list in
            ["LANGUAGE", "ASSOC-LANGUAGE"].compactMap { name in
                guard let text = list[name], !text.isEmpty, !isLanguage(text) else { return nil }
                let shown = text.prefix(40).debugDescription
                return Violation(
                    document.place(line: line.number),
                    "\(name) is \(shown), expected a tag such as en or pt-BR"
                )
            }
        }.violations { $0 }
    }

    private static func isLanguage(_ text: String) -> Bool {
        let parts = text.utf8.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
        guard let first = parts.first, Substring(first).isAll(of: .alphabet), first.count <= 8,
            parts.dropFirst().allSatisfy({ Substring($0).isAll(of: .words) && $0.count <= 8 })
        else { return false }
        // A single letter starts private-use and grandfathered tags.
        return first.count >= 2 || (parts.count > 1 && ["x", "X", "i", "I"].contains(Substring(first)))
    }

    private static func isOf(_ list: RawAttributes, _ trait: String) -> Bool {
        (list["CHARACTERISTICS"] ?? "").split(separator: ",").contains { $0 == trait }
    }

    private static let spoken = "public.accessibility.transcribes-spoken-dialog"
    private static let musicAndSound = "public.accessibility.describes-music-and-sound"
    private static let video = "public.accessibility.describes-video"

    static let traits = Check<PlaylistDocument>(
        Rule(
            "characteristics-form",
            in: .multivariant,
            clauses: "R4.3.4.1, B4.4.6.1",
            .must,
            requires: "CHARACTERISTICS is a comma-separated list without empty items",
            fix: "remove the empty item"
        )
    ) { document in
        document.violations(in: ["#EXT-X-MEDIA"]) { list in
            guard let text = list["CHARACTERISTICS"], !text.isEmpty,
                text.split(separator: ",", omittingEmptySubsequences: false).contains(where: \.isEmpty)
            else { return nil }
            return "CHARACTERISTICS is \(text.prefix(60).debugDescription), with an empty item"
        }
    }

    static let descriptionChosen = Check<PlaylistDocument>(
        Rule(
            "description-autoselect",
            in: .multivariant,
            clauses: "A2.13",
            .must,
            requires: "audio description has AUTOSELECT=YES",
            fix: "write AUTOSELECT=YES"
        )
    ) { document in
        document.violations(in: ["#EXT-X-MEDIA"]) { list in
            list["TYPE"] == "AUDIO" && isOf(list, video) && list["AUTOSELECT"] != "YES"
                ? "AUTOSELECT=YES is missing on audio description" : nil
        }
    }

    static let deaf = Check<PlaylistDocument>(
        Rule(
            "deaf-characteristics",
            in: .multivariant,
            clauses: "A4.5",
            .must,
            requires: "subtitles for the deaf have both transcribes-spoken-dialog and describes-music-and-sound",
            fix: "add the missing characteristic"
        )
    ) { document in
        document.violations(in: ["#EXT-X-MEDIA"]) { list in
            guard list["TYPE"] == "SUBTITLES", isOf(list, spoken) != isOf(list, musicAndSound) else { return nil }
            return "CHARACTERISTICS has no \(isOf(list, spoken) ? musicAndSound : spoken)"
        }
    }

    static let deafChosen = Check<PlaylistDocument>(
        Rule(
            "deaf-autoselect",
            in: .multivariant,
            clauses: "A4.6",
            .must,
            requires: "subtitles for the deaf have AUTOSELECT=YES",
            fix: "write AUTOSELECT=YES"
        )
    ) { document in
        document.violations(in: ["#EXT-X-MEDIA"]) { list in
            guard list["TYPE"] == "SUBTITLES", isOf(list, spoken), isOf(list, musicAndSound) else { return nil }
            return list["AUTOSELECT"] == "YES" ? nil : "AUTOSELECT=YES is missing on subtitles for the deaf"
        }
    }

    static let forcedChosen = Check<PlaylistDocument>(
        Rule(
            "forced-autoselect",
            in: .multivariant,
            clauses: "A5.11",
            .should,
            requires: "forced subtitles have AUTOSELECT=YES",
            fix: "write AUTOSELECT=YES"
        )
    ) { document in
        document.violations(in: ["#EXT-X-MEDIA"]) { list in
            guard list["TYPE"] == "SUBTITLES", list["FORCED"] == "YES" else { return nil }
            return list["AUTOSELECT"] == "YES" ? nil : "AUTOSELECT=YES is missing on forced subtitles"
        }
    }
}
