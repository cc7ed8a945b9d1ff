internal import SegueBase

/// The rules on `#EXT-X-SERVER-CONTROL`.
enum ServerControlRules {
    static let all: [Check<PlaylistDocument>] = [
        holdBackGiven, holdBack, partHoldBackTwice, partHoldBackThrice, skipWindow, skipRanges, windowSkips, rangesSkip,
        blocks,
    ]

    private static func target(_ document: PlaylistDocument) -> Double? {
        document.tags("#EXT-X-TARGETDURATION").first.flatMap { Double($0.value) }
    }

    /// Compares an attribute with a multiple of a target.
    private static func attribute(
        _ name: String,
        of list: RawAttributes,
        atLeast factor: Double,
        times target: Double?,
        _ targetName: String
    ) -> Comparison? {
        guard let value = list.number(name), let target, value < factor * target - PartRules.tolerance else {
            return nil
        }
        let origin: Message = "(\(Int(factor)) \(targetName)s)"
        return Comparison("\(name) is", value, expected: .atLeast(factor * target), unit: .seconds, origin: origin)
    }

    static let holdBackGiven = Check<PlaylistDocument>(
        Rule(
            "part-hold-back",
            in: .parts,
            clauses: "B4.4.3.8",
            .must,
            requires: "a playlist with #EXT-X-PART-INF has PART-HOLD-BACK",
            fix: "add PART-HOLD-BACK to #EXT-X-SERVER-CONTROL"
        )
    ) { document in
        guard let line = document.tags("#EXT-X-PART-INF").first,
            !document.lists("#EXT-X-SERVER-CONTROL").contains(where: { $0.list["PART-HOLD-BACK"] != nil })
        else { return [] }
        return [Violation(document.place(line: line.number), "PART-HOLD-BACK is missing beside #EXT-X-PART-INF")]
    }

    static let holdBack = Check<PlaylistDocument>(
        Rule(
            "hold-back-least",
            in: .parts,
            clauses: "B4.4.3.8",
            .must,
            requires: "HOLD-BACK is at least three target durations",
            fix: "raise HOLD-BACK"
        )
    ) { document in
        document.violations(
            in: ["#EXT-X-SERVER-CONTROL"],
            comparing: {
                attribute("HOLD-BACK", of: $0, atLeast: 3, times: target(document), "target duration")
            }
        )
    }

    static let partHoldBackTwice = Check<PlaylistDocument>(
        Rule(
            "part-hold-back-least",
            in: .parts,
            clauses: "B4.4.3.8",
            .must,
            requires: "PART-HOLD-BACK is at least two part targets",
            fix: "raise PART-HOLD-BACK"
        )
    ) { document in
        document.violations(
            in: ["#EXT-X-SERVER-CONTROL"],
            comparing: {
                attribute("PART-HOLD-BACK", of: $0, atLeast: 2, times: PartRules.partTarget(document), "part target")
            }
        )
    }

    static let partHoldBackThrice = Check<PlaylistDocument>(
        Rule(
            "part-hold-back-enough",
            in: .parts,
            clauses: "B4.4.3.8 should, A14.3",
            .must,
            requires: "PART-HOLD-BACK is at least three part targets",
            fix: "raise PART-HOLD-BACK"
        )
    ) { document in
        document.violations(
            in: ["#EXT-X-SERVER-CONTROL"],
            comparing: { list in
                func comparison(_ factor: Double) -> Comparison? {
                    let target = PartRules.partTarget(document)
                    return attribute("PART-HOLD-BACK", of: list, atLeast: factor, times: target, "part target")
                }
                return comparison(2) == nil ? comparison(3) : nil
            }
        )
    }

    static let skipWindow = Check<PlaylistDocument>(
        Rule(
            "skip-window",
            in: .parts,
            clauses: "B4.4.3.8",
            .must,
            requires: "CAN-SKIP-UNTIL is at least six target durations",
            fix: "raise CAN-SKIP-UNTIL"
        )
    ) { document in
        document.violations(
            in: ["#EXT-X-SERVER-CONTROL"],
            comparing: {
                attribute("CAN-SKIP-UNTIL", of: $0, atLeast: 6, times: target(document), "target duration")
            }
        )
    }

    static let skipRanges = Check<PlaylistDocument>(
        Rule(
            "skip-ranges-window",
            in: .parts,
            clauses: "B4.4.3.8",
            .must,
            requires: "CAN-SKIP-DATERANGES comes with CAN-SKIP-UNTIL",
            fix: "add CAN-SKIP-UNTIL"
        )
    ) { document in
        document.violations(in: ["#EXT-X-SERVER-CONTROL"]) { list in
            list["CAN-SKIP-DATERANGES"] != nil && list["CAN-SKIP-UNTIL"] == nil
                ? "CAN-SKIP-UNTIL is missing beside CAN-SKIP-DATERANGES" : nil
        }
    }

    static let windowSkips = Check<PlaylistDocument>(
        Rule(
            "delta-offered",
            in: .parts,
            clauses: "A14.4",
            .should,
            requires: "a playlist with parts that is longer than two minutes has CAN-SKIP-UNTIL",
            fix: "offer delta updates"
        )
    ) { document in
        guard document.has("#EXT-X-PART"), !document.has("#EXT-X-SKIP"), !document.has("#EXT-X-ENDLIST") else {
            return []
        }
        let length = document.tags("#EXTINF").compactMap { Double($0.durationText) }.reduce(0, +)
        guard length > 120,
            !document.lists("#EXT-X-SERVER-CONTROL").contains(where: { $0.list["CAN-SKIP-UNTIL"] != nil })
        else { return [] }
        return [
            Violation(document.place(), "CAN-SKIP-UNTIL is missing in a playlist of \(DisplayText.seconds(length))")
        ]
    }

    static let rangesSkip = Check<PlaylistDocument>(
        Rule(
            "delta-ranges",
            in: .parts,
            clauses: "A14.5",
            .should,
            requires: "a playlist with CAN-SKIP-UNTIL and date ranges has CAN-SKIP-DATERANGES",
            fix: "add CAN-SKIP-DATERANGES=YES"
        )
    ) { document in
        guard document.has("#EXT-X-DATERANGE") else { return [] }
        return document.violations(in: ["#EXT-X-SERVER-CONTROL"]) { list in
            list["CAN-SKIP-UNTIL"] != nil && list["CAN-SKIP-DATERANGES"] == nil
                ? "CAN-SKIP-DATERANGES is missing beside CAN-SKIP-UNTIL" : nil
        }
    }

    static let blocks = Check<PlaylistDocument>(
        Rule(
            "block-reload",
            in: .parts,
            clauses: "A14.1",
            .must,
            requires: "a live playlist with parts has CAN-BLOCK-RELOAD=YES",
            fix: "support blocking reloads"
        )
    ) { document in
        guard let line = document.tags("#EXT-X-PART").first, !document.has("#EXT-X-ENDLIST"),
            !document.lists("#EXT-X-SERVER-CONTROL").contains(where: { $0.list["CAN-BLOCK-RELOAD"] == "YES" })
        else { return [] }
        return [Violation(document.place(line: line.number), "CAN-BLOCK-RELOAD=YES is missing")]
    }
}
