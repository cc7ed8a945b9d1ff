internal import SegueBase
internal import SeguePlaylists

enum DateRangeRules {
    static let all: [Check<PlaylistDocument>] = [
        begin, length, order, sum, next, nextAlone, same, cue, values, zone, beyond,
    ]

    static let tag = "#EXT-X-DATERANGE"

    /// The attributes of all tags with one ID.
    struct Range: Sendable {
        let line: Int
        /// The attributes of the first tag; most ranges have only one.
        private var first: RawAttributes?
        /// The additional attributes of later tags.
        private var more: [String: String] = [:]
        /// `START-DATE` in seconds since 1970.
        private(set) var start: Double?
        /// `END-DATE` in seconds since 1970.
        private(set) var endDate: Double?

        init(line: Int) { self.line = line }

        /// The value of the first tag with the attribute.
        subscript(_ name: String) -> String? { first?[name] ?? more[name] }

        /// The attributes of all tags; the first value of each counts.
        var values: [String: String] {
            let first = Dictionary((first?.values ?? []).map { ($0.name, $0.value.text) }) { first, _ in first }
            return first.merging(more) { first, _ in first }
        }

        var end: Double? {
            if self["END-DATE"] != nil { return endDate }
            guard let start, let duration = self["DURATION"].flatMap(Double.init) else { return nil }
            return start + duration
        }

        /// Adds the attributes of a tag that no earlier tag had.
        fileprivate mutating func add(_ list: RawAttributes) {
            if self["START-DATE"] == nil { start = list["START-DATE"].flatMap { ISO8601Time($0)?.secondsSince1970 } }
            if self["END-DATE"] == nil { endDate = list["END-DATE"].flatMap { ISO8601Time($0)?.secondsSince1970 } }
            guard first != nil else {
                first = list
                return
            }
            for (name, value) in list.values where self[name] == nil { more[name] = value.text }
        }
    }

    static func ranges(_ document: PlaylistDocument) -> [(id: String, range: Range)] { document.dateRanges }

    /// The ranges of some tags, in the order of their first tags.
    static func ranges(_ tags: [(line: PlaylistDocument.Line, list: RawAttributes)]) -> [(id: String, range: Range)] {
        var found: [(id: String, range: Range)] = []
        var known: [String: Int] = [:]
        for (line, list) in tags {
            guard let id = list["ID"] else { continue }
            let index = known[id] ?? found.count
            if index == found.count {
                known[id] = index
                found.append((id, Range(line: line.number)))
            }
            found[index].range.add(list)
        }
        return found
    }

    static func eachRange(
        _ document: PlaylistDocument,
        _ message: (Range) -> Message?
    ) -> [Violation] {
        // A delta update may skip a part of the range.
        guard !document.has("#EXT-X-SKIP") else { return [] }
        return ranges(document).violations { _, range in
            message(range).map { Violation(document.place(line: range.line), $0) }
        }
    }

    static let begin = Check<PlaylistDocument>(
        Rule(
            "date-range-start",
            in: .dateRanges,
            clauses: "R4.3.2.7, B4.4.5.1",
            .must,
            requires: "the first #EXT-X-DATERANGE of an ID has START-DATE",
            fix: "add START-DATE"
        )
    ) { document in
        // A delta update may skip the first tag.
        guard !document.has("#EXT-X-SKIP") else { return [] }
        var seen: Set<String> = []
        return document.violations(in: [tag]) { list in
            guard let id = list["ID"], seen.insert(id).inserted, list["START-DATE"] == nil else { return nil }
            return "START-DATE is missing"
        }
    }

    static let length = Check<PlaylistDocument>(
        Rule(
            "date-range-length",
            in: .dateRanges,
            clauses: "R4.3.2.7, B4.4.5.1",
            .must,
            requires: "DURATION and PLANNED-DURATION are not negative",
            fix: "write a duration of zero or more"
        )
    ) { document in
        document.violations(in: [tag]) { list in
            ["DURATION", "PLANNED-DURATION"].first { list.number($0) ?? 0 < 0 }.map {
                "\($0) is \(value: list[$0] ?? ""), expected 0 or more"
            }
        }
    }

    static let order = Check<PlaylistDocument>(
        Rule(
            "date-range-end",
            in: .dateRanges,
            clauses: "R4.3.2.7, B4.4.5.1",
            .must,
            requires: "END-DATE is not before START-DATE",
            fix: "correct END-DATE"
        )
    ) { document in
        eachRange(document) { range in
            guard let start = range.start, let end = range.endDate,
                end < start - 0.0005
            else { return nil }
            return "END-DATE is \(DisplayText.seconds(start - end)) before START-DATE"
        }
    }

    static let sum = Check<PlaylistDocument>(
        Rule(
            "date-range-sum",
            in: .dateRanges,
            clauses: "R4.3.2.7, B4.4.5.1",
            .must,
            requires: "END-DATE equals START-DATE plus DURATION",
            fix: "remove one of the two attributes, or correct it"
        )
    ) { document in
        eachRange(document) { range in
            guard let start = range.start, let end = range.endDate,
                let duration = range["DURATION"].flatMap(Double.init), end >= start, duration >= 0,
                // Dates are written to milliseconds at least.
                abs(start + duration - end) > 0.0015
            else { return nil }
            return "START-DATE plus DURATION is \(DisplayText.seconds(abs(start + duration - end))) "
                + (start + duration > end ? "after" : "before") + " END-DATE"
        }
    }

    static let next = Check<PlaylistDocument>(
        Rule(
            "date-range-next",
            in: .dateRanges,
            clauses: "R4.3.2.7, B4.4.5.1",
            .must,
            requires: "a range with END-ON-NEXT has CLASS, and neither DURATION nor END-DATE",
            fix: "add CLASS, and remove DURATION and END-DATE"
        )
    ) { document in
        eachRange(document) { range in
            guard range["END-ON-NEXT"] != nil else { return nil }
            if range["CLASS"] == nil { return "CLASS is missing beside END-ON-NEXT" }
            return ["DURATION", "END-DATE"].first { range[$0] != nil }.map { "\($0) occurs beside END-ON-NEXT" }
        }
    }

    static let nextAlone = Check<PlaylistDocument>(
        Rule(
            "date-range-overlap",
            in: .dateRanges,
            clauses: "R4.3.2.7, B4.4.5.1",
            .must,
            requires: "ranges of a CLASS with END-ON-NEXT do not overlap",
            fix: "shorten the earlier range"
        )
    ) { document in
        let all = Dictionary(grouping: ranges(document).map(\.range).filter { $0["CLASS"] != nil }) {
            $0["CLASS"] ?? ""
        }
        return all.sorted { $0.key < $1.key }.flatMap { _, members -> [Violation] in
            guard members.contains(where: { $0["END-ON-NEXT"] != nil }) else { return [] }
            let sorted = members.filter { $0.start != nil }.sorted { $0.start ?? 0 < $1.start ?? 0 }
            return zip(sorted, sorted.dropFirst()).violations { former, next in
                guard let end = former.end, let start = next.start, end > start + 0.0015 else { return nil }
                return Violation(
                    document.place(line: next.line),
                    "the range starts \(DisplayText.seconds(end - start)) before another of its CLASS ends"
                )
            }
        }
    }

    static let same = Check<PlaylistDocument>(
        Rule(
            "date-range-same",
            in: .dateRanges,
            clauses: "R4.3.2.7, B4.4.5.1",
            .must,
            requires: "tags with the same ID have the same attribute values",
            fix: "repeat attributes unchanged"
        )
    ) { document in
        var known: [String: Range] = [:]
        return document.violations(in: [tag]) { list in
            guard let id = list["ID"] else { return nil }
            var message: Message?
            if let range = known[id] {
                message =
                    list.values.lazy.compactMap { name, value -> Message? in
                        guard let former = range[name], former != value.text else { return nil }
                        return
                            "\(name) of \(value: id.prefix(40).debugDescription) is \(value: value.text), expected \(value: former) as before"
                    }.first
            }
            known[id, default: Range(line: 0)].add(list)
            return message
        }
    }

    static let cue = Check<PlaylistDocument>(
        Rule(
            "date-range-cue",
            in: .dateRanges,
            clauses: "B4.4.5.1",
            .must,
            requires: "CUE does not contain both PRE and POST",
            fix: "keep one of the two"
        )
    ) { document in
        document.violations(in: [tag]) { list in
            let words = (list["CUE"] ?? "").split(separator: ",")
            return words.contains("PRE") && words.contains("POST")
                ? "CUE is \(list["CUE"] ?? ""), with both PRE and POST" : nil
        }
    }

    static let values = Check<PlaylistDocument>(
        Rule(
            "date-range-values",
            in: .dateRanges,
            clauses: "R4.3.2.7, B4.4.5.1",
            .must,
            requires: "X- attributes are quoted strings, hexadecimal sequences, or decimal numbers",
            fix: "quote the value"
        )
    ) { document in
        document.violations(in: [tag]) { list in
            list.values.first { name, value in
                name.hasPrefix("X-") && !value.isQuoted
                    && PlaylistGrammar.Form.signed.wanted(value.text, isQuoted: false) != nil
                    && !PlaylistGrammar.Form.isHexadecimal(value.text)
            }.map { found -> Message in
                "\(found.name) is \(value: found.value.text.prefix(40)), expected a quoted string or a number"
            }
        }
    }

    static let zone = Check<PlaylistDocument>(
        Rule(
            "date-range-zone",
            in: .dateRanges,
            clauses: "B4.4.5.1",
            .should,
            requires: "dates of ranges have a time zone and milliseconds",
            fix: "write dates such as 2026-01-31T12:00:00.000Z"
        )
    ) { document in
        document.violations(in: [tag]) { list in
            ["START-DATE", "END-DATE"].compactMap { name -> Message? in
                guard let text = list[name], let date = ISO8601Time(text) else { return nil }
                if !date.hasZone { return "\(name) has no time zone" }
                return date.fractionDigits >= 3 ? nil : "\(name) has no milliseconds"
            }.first
        }
    }

    static let beyond = Check<PlaylistDocument>(
        Rule(
            "date-range-beyond",
            in: .dateRanges,
            clauses: "own",
            .advice,
            requires: "no date range starts after the end of a finished playlist",
            fix: "remove the range, or correct its START-DATE"
        )
    ) { document in
        guard document.has("#EXT-X-ENDLIST"), let end = TimeRules.end(document) else { return [] }
        return eachRange(document) { range in
            guard let start = range.start, start > end + 1, range["CUE"] == nil else { return nil }
            return "the range starts \(DisplayText.seconds(start - end)) after the end of the playlist"
        }
    }
}
