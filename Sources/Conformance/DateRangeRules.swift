/// The rules on date ranges.
enum DateRangeRules {
    static let all: [Check<PlaylistDocument>] = [
        begin, length, order, sum, next, nextAlone, same, cue, values, zone, asset, preload, splice, pair, beyond,
        direction, assetID, assetQuery,
    ]

    /// Names of attributes that are read as dates and numbers.
    private static let tag = "#EXT-X-DATERANGE"

    /// What all tags with one ID say together.
    struct Range {
        let line: Int
        var values: [String: String] = [:]

        subscript(_ name: String) -> String? { values[name] }

        var start: Double? { values["START-DATE"].flatMap { PlaylistDate($0)?.seconds } }

        var end: Double? {
            if let end = values["END-DATE"] { return PlaylistDate(end)?.seconds }
            guard let start, let duration = values["DURATION"].flatMap(Double.init) else { return nil }
            return start + duration
        }
    }

    static func ranges(_ document: PlaylistDocument) -> [(id: String, range: Range)] {
        var found: [(id: String, range: Range)] = []
        var known: [String: Int] = [:]
        for (line, list) in document.lists(tag) {
            guard let id = list["ID"] else { continue }
            let index = known[id] ?? found.count
            if known[id] == nil {
                known[id] = index
                found.append((id, Range(line: line.number)))
            }
            for (name, value, _) in list.values where found[index].range.values[name] == nil {
                found[index].range.values[name] = value
            }
        }
        return found
    }

    private static func eachRange(
        _ document: PlaylistDocument,
        _ message: (Range) -> String?
    ) -> [Violation] {
        ranges(document).compactMap { _, range in
            message(range).map { Violation(document.place(line: range.line), $0) }
        }
    }

    /// A range begins.
    static let begin = Check<PlaylistDocument>(
        Rule("date-range-start", "R4.3.2.7, B4.4.5.1", .must, "the first #EXT-X-DATERANGE of an ID has START-DATE")
    ) { document in
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
            guard let start = range.start, let end = range["END-DATE"].flatMap({ PlaylistDate($0)?.seconds }),
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
            guard let start = range.start, let end = range["END-DATE"].flatMap({ PlaylistDate($0)?.seconds }),
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
        let all = ranges(document).map(\.range)
        let classes = Set(all.filter { $0["END-ON-NEXT"] != nil }.compactMap { $0["CLASS"] })
        return classes.sorted().flatMap { name -> [Violation] in
            let sorted = all.filter { $0["CLASS"] == name && $0.start != nil }.sorted { $0.start ?? 0 < $1.start ?? 0 }
            return zip(sorted, sorted.dropFirst()).compactMap { former, next in
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
        var known: [String: [String: String]] = [:]
        return document.violations(in: [tag]) { list in
            guard let id = list["ID"] else { return nil }
            var message: String?
            for (name, value, _) in list.values {
                if let former = known[id]?[name], former != value {
                    message =
                        message ?? "\(name) of \(id.prefix(40).debugDescription) is \(value), and \(former) before"
                } else {
                    known[id, default: [:]][name] = value
                }
            }
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
            list.values.first { name, value, isQuoted in
                name.hasPrefix("X-") && !isQuoted && PlaylistGrammar.Form.signed.wanted(value, isQuoted: false) != nil
                    && !PlaylistGrammar.Form.isHexadecimal(value)
            }.map { "\($0.name) is \($0.value.prefix(40))" }
        }
    }

    /// Dates are exact.
    static let zone = Check<PlaylistDocument>(
        Rule("date-range-zone", "B4.4.5.1", .should, "dates of ranges have a time zone and milliseconds")
    ) { document in
        document.violations(in: [tag]) { list in
            ["START-DATE", "END-DATE"].compactMap { name -> String? in
                guard let text = list[name], let date = PlaylistDate(text) else { return nil }
                if !date.hasZone { return "\(name) has no time zone" }
                return date.hasMilliseconds ? nil : "\(name) has no milliseconds"
            }.first
        }
    }

    /// An interstitial leads to one thing.
    static let asset = Check<PlaylistDocument>(
        Rule("interstitial-asset", "BD.2", .must, "an interstitial has one of X-ASSET-URI and X-ASSET-LIST")
    ) { document in
        eachRange(document) { range in
            let isInterstitial = range["CLASS"] == "com.apple.hls.interstitial"
            let both = ["X-ASSET-URI", "X-ASSET-LIST"].filter { range[$0] != nil }
            if both.isEmpty { return isInterstitial ? "it has neither" : nil }
            return both.count == 2 && isInterstitial ? "it has both" : nil
        }
    }

    /// What is to be loaded early says what, for whom and when.
    static let preload = Check<PlaylistDocument>(
        Rule(
            "preload-range",
            "BF",
            .must,
            "a preload range has X-URI, X-TARGET-ID, X-TARGET-CLASS and an end, and neither CUE nor END-ON-NEXT"
        )
    ) { document in
        eachRange(document) { range in
            guard range["CLASS"] == "com.apple.hls.preload" else { return nil }
            if let name = ["X-URI", "X-TARGET-ID", "X-TARGET-CLASS"].first(where: { range[$0] == nil }) {
                return "it has no \(name)"
            }
            if range["DURATION"] == nil, range["END-DATE"] == nil { return "it has neither DURATION nor END-DATE" }
            return ["CUE", "END-ON-NEXT"].first { range[$0] != nil }.map { "it has \($0)" }
        }
    }

    /// The way back in says how long one was out.
    static let splice = Check<PlaylistDocument>(
        Rule("splice-length", "B4.4.5.1.1", .must, "a range with SCTE35-OUT and SCTE35-IN has DURATION or END-DATE")
    ) { document in
        eachRange(document) { range in
            guard range["SCTE35-OUT"] != nil, range["SCTE35-IN"] != nil, range["DURATION"] == nil,
                range["END-DATE"] == nil
            else { return nil }
            return "it has neither"
        }
    }

    /// Who comes in was out.
    static let pair = Check<PlaylistDocument>(
        Rule(
            "splice-pair",
            "own",
            .advice,
            "a range with SCTE35-IN has SCTE35-OUT, in the same tag or another of its ID"
        )
    ) { document in
        guard document.has("#EXT-X-PLAYLIST-TYPE") else { return [] }
        return eachRange(document) { $0["SCTE35-IN"] != nil && $0["SCTE35-OUT"] == nil ? "it has no SCTE35-OUT" : nil }
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

    /// What leads out is told as the way out.
    static let direction = Check<PlaylistDocument>(
        Rule(
            "splice-direction",
            "R4.3.2.7.1, B4.4.5.1.1",
            .must,
            "of splice_insert, what leads out of the network stands in SCTE35-OUT, what leads back in SCTE35-IN"
        )
    ) { document in
        document.violations(in: [tag]) { list in
            for (name, leadsOut) in [("SCTE35-OUT", true), ("SCTE35-IN", false)] {
                if let found = list[name].flatMap(Self.leadsOut), found != leadsOut {
                    return "\(name) leads \(found ? "out" : "back")"
                }
            }
            return nil
        }
    }

    /// Whether a splice_insert leads out of the network; nil for all else.
    private static func leadsOut(_ text: String) -> Bool? {
        let digits = Array(text.utf8.dropFirst(2))
        let bytes = stride(from: 0, to: digits.count - 1, by: 2).compactMap {
            UInt8(String(decoding: digits[$0...$0 + 1], as: UTF8.self), radix: 16)
        }
        // SCTE 35, 9.6 and 9.7.3: the table, no encryption, the command, no cancellation.
        guard bytes.count > 19, bytes[0] == 0xFC, bytes[4] & 0x80 == 0, bytes[13] == 5, bytes[18] & 0x80 == 0 else {
            return nil
        }
        return bytes[19] & 0x80 != 0
    }

    private static func assets(_ list: RawAttributes) -> [(name: String, uri: String)] {
        guard list["CLASS"] == "com.apple.hls.interstitial" else { return [] }
        return ["X-ASSET-URI", "X-ASSET-LIST"].compactMap { name in
            list[name].flatMap { $0.hasPrefix("data:") ? nil : (name, $0) }
        }
    }

    /// Who serves it knows what it is for.
    static let assetID = Check<PlaylistDocument>(
        Rule("interstitial-id", "BD.4", .should, "the URI of an interstitial has its ID as _HLS_interstitial_id")
    ) { document in
        document.violations(in: [tag]) { list in
            assets(list).first { !$0.uri.contains("_HLS_interstitial_id=") }.map { "\($0.name) has not" }
        }
    }

    /// Names that are kept free are not taken.
    static let assetQuery = Check<PlaylistDocument>(
        Rule("interstitial-query", "BD.4", .should, "the URI of an interstitial has no _HLS_ parameter of its own")
    ) { document in
        let known: Set<Substring> = ["_HLS_interstitial_id", "_HLS_primary_id", "_HLS_start_offset"]
        return document.violations(in: [tag]) { list in
            assets(list).lazy.flatMap { $0.uri.matches(of: /[?&](_HLS_[A-Za-z0-9_]*)/).map(\.1) }
                .first { !known.contains($0) }.map { "it has \($0)" }
        }
    }
}
