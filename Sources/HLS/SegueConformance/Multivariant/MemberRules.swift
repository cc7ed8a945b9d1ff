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
