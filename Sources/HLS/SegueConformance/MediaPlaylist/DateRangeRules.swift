internal import SegueBase
internal import SeguePlaylists

/// The rules on date ranges.
enum DateRangeRules {
    static let all: [Check<PlaylistDocument>] = [
        begin, length, order, sum, next, nextAlone, same, cue, values, zone, beyond,
    ]

    /// The tag.
    static let tag = "#EXT-X-DATERANGE"

    /// What all tags with one ID say together.
    struct Range: Sendable {
        let line: Int
        /// The attributes of its first tag, as a rule its only one.
        private var first: RawAttributes?
        /// What later tags say besides.
        private var more: [String: String] = [:]
        /// When it begins, in seconds from the beginning of 1970.
        private(set) var start: Double?
        /// When END-DATE says that it ends.
        private(set) var endDate: Double?

        init(line: Int) { self.line = line }

        /// What the first tag says that says it.
        subscript(_ name: String) -> String? { first?[name] ?? more[name] }

        /// All that its tags say.
        var values: [String: String] {
            let first = Dictionary((first?.values ?? []).map { ($0.name, $0.value.text) }) { first, _ in first }
            return first.merging(more) { first, _ in first }
        }

        var end: Double? {
            if self["END-DATE"] != nil { return endDate }
            guard let start, let duration = self["DURATION"].flatMap(Double.init) else { return nil }
            return start + duration
        }

        /// Takes what a tag says, but for what one before it said.
        fileprivate mutating func take(_ list: RawAttributes) {
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

    /// What tags say together, by their ID.
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
            found[index].range.take(list)
        }
        return found
    }

    static func eachRange(
        _ document: PlaylistDocument,
        _ message: (Range) -> String?
    ) -> [Violation] {
        // Of a delta update, part of a range may be in what is skipped.
        guard !document.has("#EXT-X-SKIP") else { return [] }
        return ranges(document).violations { _, range in
            message(range).map { Violation(document.place(line: range.line), $0) }
        }
    }

    /// A range begins.
    static let begin = Check<PlaylistDocument>(
        Rule("date-range-start", "R4.3.2.7, B4.4.5.1", .must, "the first #EXT-X-DATERANGE of an ID has START-DATE")
    ) { document in
        // Of a delta update, the first may be in what is skipped.
        guard !document.has("#EXT-X-SKIP") else { return [] }
        var seen: Set<String> = []
        return document.violations(in: [tag]) { list in
            guard let id = list["ID"], seen.insert(id).inserted, list["START-DATE"] == nil else { return nil }
            return "it has no START-DATE"
        }
    }

    /// Time does not run backwards.
    static let length = Check<PlaylistDocument>(
        Rule("date-range-length", "R4.3.2.7, B4.4.5.1", .must, "DURATION and PLANNED-DURATION are not negative")
    ) { document in
        document.violations(in: [tag]) { list in
            ["DURATION", "PLANNED-DURATION"].first { list.number($0) ?? 0 < 0 }.map { "\($0) is \(list[$0] ?? "")" }
        }
    }

    /// The end is no earlier than the start.
    static let order = Check<PlaylistDocument>(
        Rule("date-range-end", "R4.3.2.7, B4.4.5.1", .must, "END-DATE is not before START-DATE")
    ) { document in
        eachRange(document) { range in
            guard let start = range.start, let end = range.endDate,
                end < start - 0.0005
            else { return nil }
            return "END-DATE is \(Shown.seconds(start - end)) before START-DATE"
        }
    }

    /// End and length tell the same.
    static let sum = Check<PlaylistDocument>(
        Rule("date-range-sum", "R4.3.2.7, B4.4.5.1", .must, "END-DATE is START-DATE and DURATION")
    ) { document in
        eachRange(document) { range in
            guard let start = range.start, let end = range.endDate,
                let duration = range["DURATION"].flatMap(Double.init), end >= start, duration >= 0,
                // Dates are written to milliseconds at least.
                abs(start + duration - end) > 0.0015
            else { return nil }
            return "START-DATE and DURATION end \(Shown.seconds(start + duration - end)) after END-DATE"
        }
    }

    /// What ends with the next has no other end.
    static let next = Check<PlaylistDocument>(
        Rule(
            "date-range-next",
            "R4.3.2.7, B4.4.5.1",
            .must,
            "a range with END-ON-NEXT has CLASS, and neither DURATION nor END-DATE"
        )
    ) { document in
        eachRange(document) { range in
            guard range["END-ON-NEXT"] != nil else { return nil }
            if range["CLASS"] == nil { return "it has no CLASS" }
            return ["DURATION", "END-DATE"].first { range[$0] != nil }.map { "it has \($0)" }
        }
    }

    /// Where the next ends one, no two are at once.
    static let nextAlone = Check<PlaylistDocument>(
        Rule("date-range-overlap", "R4.3.2.7, B4.4.5.1", .must, "ranges of a CLASS with END-ON-NEXT do not overlap")
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
                    "it begins \(Shown.seconds(end - start)) before the end of another"
                )
            }
        }
    }

    /// The same range is told of in the same way.
    static let same = Check<PlaylistDocument>(
        Rule("date-range-same", "R4.3.2.7, B4.4.5.1", .must, "tags with one ID agree in what they have both")
    ) { document in
        var known: [String: Range] = [:]
        return document.violations(in: [tag]) { list in
            guard let id = list["ID"] else { return nil }
            var message: String?
            if let range = known[id] {
                message =
                    list.values.lazy.compactMap { name, value -> String? in
                        guard let former = range[name], former != value.text else { return nil }
                        return "\(name) of \(id.prefix(40).debugDescription) is \(value.text), and \(former) before"
                    }.first
            }
            known[id, default: Range(line: 0)].take(list)
            return message
        }
    }

    /// What comes before all does not come after all.
    static let cue = Check<PlaylistDocument>(
        Rule("date-range-cue", "B4.4.5.1", .must, "CUE has not both PRE and POST")
    ) { document in
        document.violations(in: [tag]) { list in
            let words = (list["CUE"] ?? "").split(separator: ",")
            return words.contains("PRE") && words.contains("POST") ? "CUE is \(list["CUE"] ?? "")" : nil
        }
    }

    /// What authors add is of a form that all can read.
    static let values = Check<PlaylistDocument>(
        Rule(
            "date-range-values",
            "R4.3.2.7, B4.4.5.1",
            .must,
            "X- attributes are quoted strings, hexadecimal or decimal numbers"
        )
    ) { document in
        document.violations(in: [tag]) { list in
            list.values.first { name, value in
                name.hasPrefix("X-") && !value.isQuoted
                    && PlaylistGrammar.Form.signed.wanted(value.text, isQuoted: false) != nil
                    && !PlaylistGrammar.Form.isHexadecimal(value.text)
            }.map { "\($0.name) is \($0.value.text.prefix(40))" }
        }
    }

    /// Dates are exact.
    static let zone = Check<PlaylistDocument>(
        Rule("date-range-zone", "B4.4.5.1", .should, "dates of ranges have a time zone and milliseconds")
    ) { document in
        document.violations(in: [tag]) { list in
            ["START-DATE", "END-DATE"].compactMap { name -> String? in
                guard let text = list[name], let date = ISO8601Time(text) else { return nil }
                if !date.hasZone { return "\(name) has no time zone" }
                return date.fractionDigits >= 3 ? nil : "\(name) has no milliseconds"
            }.first
        }
    }

    /// What is announced is there.
    static let beyond = Check<PlaylistDocument>(
        Rule("date-range-beyond", "own", .advice, "no date range begins after the end of a playlist that has one")
    ) { document in
        guard document.has("#EXT-X-ENDLIST"), let end = TimeRules.end(document) else { return [] }
        return eachRange(document) { range in
            guard let start = range.start, start > end + 1, range["CUE"] == nil else { return nil }
            return "it begins \(Shown.seconds(start - end)) after the end"
        }
    }

}
