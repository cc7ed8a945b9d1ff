/// The rules on what a server announces that it does.
enum ServerControlRules {
    static let all: [Check<PlaylistDocument>] = [
        holdBackGiven, holdBack, partHoldBackTwice, partHoldBackThrice, skipWindow, skipRanges, windowSkips, rangesSkip,
        blocks,
    ]

    private static func target(_ document: PlaylistDocument) -> Double? {
        document.tags("#EXT-X-TARGETDURATION").first.flatMap { Double($0.value) }
    }

    /// Something that is at least so many times something else.
    private static func least(_ name: String, _ times: Double, _ unit: Double?, _ word: String, _ list: RawAttributes)
        -> String?
    {
        guard let value = list.number(name), let unit, value < times * unit - PartRules.tolerance else { return nil }
        return "\(name) is \(Shown.seconds(value)), the \(word) \(Shown.seconds(unit))"
    }

    /// Players of parts are told how far to stay back.
    static let holdBackGiven = Check<PlaylistDocument>(
        Rule("part-hold-back", "B4.4.3.8", .must, "a playlist with #EXT-X-PART-INF has PART-HOLD-BACK")
    ) { document in
        guard let line = document.tags("#EXT-X-PART-INF").first,
            !document.lists("#EXT-X-SERVER-CONTROL").contains(where: { $0.list["PART-HOLD-BACK"] != nil })
        else { return [] }
        return [Violation(document.place(line: line.number), "there is no PART-HOLD-BACK")]
    }

    /// Players stay three segments back.
    static let holdBack = Check<PlaylistDocument>(
        Rule("hold-back-least", "B4.4.3.8", .must, "HOLD-BACK is three target durations or more")
    ) { document in
        document.violations(in: ["#EXT-X-SERVER-CONTROL"]) { least("HOLD-BACK", 3, target(document), "target", $0) }
    }

    /// Players stay two parts back.
    static let partHoldBackTwice = Check<PlaylistDocument>(
        Rule("part-hold-back-least", "B4.4.3.8", .must, "PART-HOLD-BACK is twice the part target or more")
    ) { document in
        document.violations(in: ["#EXT-X-SERVER-CONTROL"]) {
            least("PART-HOLD-BACK", 2, PartRules.partTarget(document), "part target", $0)
        }
    }

    /// Players stay three parts back, better.
    static let partHoldBackThrice = Check<PlaylistDocument>(
        Rule("part-hold-back-enough", "B4.4.3.8 should, A14.3", .must, "PART-HOLD-BACK is three part targets or more")
    ) { document in
        document.violations(in: ["#EXT-X-SERVER-CONTROL"]) { list in
            let most = PartRules.partTarget(document)
            guard least("PART-HOLD-BACK", 2, most, "part target", list) == nil else { return nil }
            return least("PART-HOLD-BACK", 3, most, "part target", list)
        }
    }

    /// What is skipped is old.
    static let skipWindow = Check<PlaylistDocument>(
        Rule("skip-window", "B4.4.3.8", .must, "CAN-SKIP-UNTIL is six target durations or more")
    ) { document in
        document.violations(in: ["#EXT-X-SERVER-CONTROL"]) {
            least("CAN-SKIP-UNTIL", 6, target(document), "target", $0)
        }
    }

    /// Date ranges are skipped with segments.
    static let skipRanges = Check<PlaylistDocument>(
        Rule("skip-ranges-window", "B4.4.3.8", .must, "CAN-SKIP-DATERANGES stands with CAN-SKIP-UNTIL")
    ) { document in
        document.violations(in: ["#EXT-X-SERVER-CONTROL"]) { list in
            list["CAN-SKIP-DATERANGES"] != nil && list["CAN-SKIP-UNTIL"] == nil ? "there is no CAN-SKIP-UNTIL" : nil
        }
    }

    /// Long playlists come in pieces.
    static let windowSkips = Check<PlaylistDocument>(
        Rule("delta-offered", "A14.4", .should, "a playlist with parts and more than two minutes has CAN-SKIP-UNTIL")
    ) { document in
        guard document.has("#EXT-X-PART"), !document.has("#EXT-X-SKIP"), !document.has("#EXT-X-ENDLIST") else {
            return []
        }
        let length = document.tags("#EXTINF").compactMap { Double($0.durationText) }.reduce(0, +)
        guard length > 120,
            !document.lists("#EXT-X-SERVER-CONTROL").contains(where: { $0.list["CAN-SKIP-UNTIL"] != nil })
        else { return [] }
        return [Violation(document.place(), "it has \(Shown.seconds(length)), and no CAN-SKIP-UNTIL")]
    }

    /// Date ranges need not come again either.
    static let rangesSkip = Check<PlaylistDocument>(
        Rule("delta-ranges", "A14.5", .should, "with CAN-SKIP-UNTIL and date ranges stands CAN-SKIP-DATERANGES")
    ) { document in
        guard document.has("#EXT-X-DATERANGE") else { return [] }
        return document.violations(in: ["#EXT-X-SERVER-CONTROL"]) { list in
            list["CAN-SKIP-UNTIL"] != nil && list["CAN-SKIP-DATERANGES"] == nil ? "there is none" : nil
        }
    }

    /// Players can wait for what is next.
    static let blocks = Check<PlaylistDocument>(
        Rule("block-reload", "A14.1", .must, "a live playlist with parts has CAN-BLOCK-RELOAD=YES")
    ) { document in
        guard let line = document.tags("#EXT-X-PART").first, !document.has("#EXT-X-ENDLIST"),
            !document.lists("#EXT-X-SERVER-CONTROL").contains(where: { $0.list["CAN-BLOCK-RELOAD"] == "YES" })
        else { return [] }
        return [Violation(document.place(line: line.number), "it has not")]
    }
}
