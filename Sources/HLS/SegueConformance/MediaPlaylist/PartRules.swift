internal import SegueBase

/// The rules on partial segments, preload hints, and rendition reports.
enum PartRules {
    static let all: [Check<PlaylistDocument>] = [
        partInf, longest, shortest, sum, ranges, order, iFrames, hintEnded, hintOnce, hintGiven, reportRelative,
        announced, hintLast, skipPlace,
    ]

    static func partTarget(_ document: PlaylistDocument) -> Double? {
        document.lists("#EXT-X-PART-INF").first?.list.number("PART-TARGET")
    }

    /// The rounding of playlist values, in seconds.
    static let tolerance = 0.0005

    static let partInf = Check<PlaylistDocument>(
        Rule(
            "part-inf",
            in: .parts,
            clauses: "B4.4.3.7",
            .must,
            requires: "a playlist with parts has #EXT-X-PART-INF",
            fix: "add #EXT-X-PART-INF"
        )
    ) { document in
        guard let line = document.tags("#EXT-X-PART").first, !document.has("#EXT-X-PART-INF") else { return [] }
        return [Violation(document.place(line: line.number), "#EXT-X-PART-INF is missing")]
    }

    /// A part and its position in the segment.
    private struct Part {
        let line: Int
        let duration: Double
        let isIndependent: Bool
        let isGap: Bool
        var endsSegment = false
    }

    /// The parts of each segment with its `#EXTINF`, which is nil for the incomplete segment at the end.
    private static func segments(_ document: PlaylistDocument) -> [(parts: [Part], duration: Double?, line: Int)] {
        guard document.has("#EXT-X-PART") else { return [] }
        var all: [(parts: [Part], duration: Double?, line: Int)] = []
        var parts: [Part] = []
        var duration: Double?
        for line in document.lines {
            if line.tag == "#EXT-X-PART", let list = line.list {
                guard let length = list.number("DURATION") else { continue }
                parts.append(
                    Part(
                        line: line.number,
                        duration: length,
                        isIndependent: list["INDEPENDENT"] == "YES",
                        isGap: list["GAP"] == "YES"
                    )
                )
            } else if line.tag == "#EXTINF" {
                duration = Double(line.durationText)
            } else if line.isURI {
                if !parts.isEmpty {
                    parts[parts.count - 1].endsSegment = true
                    all.append((parts, duration, line.number))
                }
                (parts, duration) = ([], nil)
            }
        }
        return parts.isEmpty ? all : all + [(parts, nil, parts[0].line)]
    }

    static let longest = Check<PlaylistDocument>(
        Rule(
            "part-longest",
            in: .parts,
            clauses: "B4.4.4.9",
            .must,
            requires: "each part is at most the part target",
            fix: "raise PART-TARGET, or cut shorter parts"
        )
    ) { document in
        guard let most = partTarget(document) else { return [] }
        return segments(document).flatMap(\.parts).lazy.filter { $0.duration > most + tolerance }.violations {
            Violation(
                document.place(line: $0.line),
                Comparison(
                    "the part lasts",
                    $0.duration,
                    expected: .atMost(most),
                    unit: .seconds,
                    origin: "by PART-TARGET"
                )
            )
        }
    }

    static let shortest = Check<PlaylistDocument>(
        Rule(
            "part-shortest",
            in: .parts,
            clauses: "B4.4.4.9",
            .must,
            requires:
                "a part is at least 85 % of the part target, unless it is independent, a gap, before a gap, or the last of its segment",
            fix: "cut parts at the part target"
        )
    ) { document in
        guard let most = partTarget(document) else { return [] }
        return segments(document).flatMap { parts, _, _ in
            parts.indices.compactMap { index in
                let part = parts[index]
                let isBeforeGap = index + 1 < parts.count && parts[index + 1].isGap
                // The last part so far may be the last of its segment.
                let isLast = part.endsSegment || index + 1 == parts.count
                guard !part.isIndependent, !part.isGap, !isBeforeGap, !isLast,
                    part.duration < 0.85 * most - tolerance
                else { return nil }
                let comparison = Comparison(
                    "the part lasts",
                    part.duration,
                    expected: .atLeast(0.85 * most),
                    unit: .seconds,
                    origin: "(85 % of PART-TARGET)"
                )
                return Violation(document.place(line: part.line), comparison)
            }
        }
    }

    static let sum = Check<PlaylistDocument>(
        Rule(
            "part-sum",
            in: .parts,
            clauses: "B3.2",
            .must,
            requires: "the parts of a segment add up to its duration, within 0.1 s",
            fix: "correct the part durations"
        )
    ) { document in
        // Parts of the first segment may be removed already.
        segments(document).dropFirst().violations { parts, duration, line in
            guard let duration, duration.isFinite else { return nil }
            let sum = parts.reduce(0) { $0 + $1.duration }
            // Each duration is rounded separately.
            guard abs(sum - duration) > 0.1 else { return nil }
            return Violation(
                document.place(line: line),
                Comparison("the parts add up to", sum, expected: .equal(duration), unit: .seconds, origin: "by #EXTINF")
            )
        }
    }

    static let ranges = Check<PlaylistDocument>(
        Rule(
            "part-ranges",
            in: .parts,
            clauses: "B3.2",
            .must,
            requires: "the byte ranges of a segment's parts in one resource do not overlap",
            fix: "correct BYTERANGE of the part"
        )
    ) { document in
        // The ranges of each resource that parts of the segment use so far.
        var taken: [String: [Range<Int64>]] = [:]
        return document.lines.compactMap { line in
            if line.isURI { taken = [:] }
            guard line.tag == "#EXT-X-PART" else { return nil }
            let list = RawAttributes(line.value)
            guard let uri = list["URI"], let value = list["BYTERANGE"] else { return nil }
            let numbers = value.split(separator: "@").map { UInt32($0) }
            guard let length = numbers.first ?? nil, length > 0, numbers.count < 3 else { return nil }
            // Without an offset, the range follows the previous one.
            let offset = numbers.count == 2 ? numbers[1].map(Int64.init) : taken[uri]?.last?.upperBound
            guard let offset else { return nil }
            let range = offset..<offset + Int64(length)
            defer { taken[uri, default: []].append(range) }
            guard let other = taken[uri]?.last(where: { $0.overlaps(range) }) else { return nil }
            let first = max(range.lowerBound, other.lowerBound)
            return Violation(
                document.place(line: line.number),
                "the range overlaps an earlier part of the segment from byte \(first)"
            )
        }
    }

    static let order = Check<PlaylistDocument>(
        Rule(
            "part-order",
            in: .parts,
            clauses: "B4.4.4.9",
            .must,
            requires:
                "#EXT-X-DISCONTINUITY, #EXT-X-KEY, #EXT-X-MAP, and #EXT-X-PROGRAM-DATE-TIME precede the first part of their segment",
            fix: "move the tag before the first part"
        )
    ) { document in
        let ofSegments: Set<String> = [
            "#EXT-X-DISCONTINUITY", "#EXT-X-KEY", "#EXT-X-MAP", "#EXT-X-PROGRAM-DATE-TIME",
        ]
        guard document.has("#EXT-X-PART") else { return [] }
        var hasParts = false
        return document.lines.violations { line in
            if line.isURI { hasParts = false }
            if line.tag == "#EXT-X-PART" { hasParts = true }
            guard hasParts, let tag = line.tag, ofSegments.contains(tag) else { return nil }
            return Violation(document.place(line: line.number), "\(tag) follows a part of its segment")
        }
    }

    static let iFrames = Check<PlaylistDocument>(
        Rule(
            "part-iframes",
            in: .parts,
            clauses: "B4.4.4.9",
            .should,
            requires: "an I-frame playlist has no parts",
            fix: "remove the parts"
        )
    ) { document in
        guard document.has("#EXT-X-I-FRAMES-ONLY"), let line = document.tags("#EXT-X-PART").first else { return [] }
        return [Violation(document.place(line: line.number), "an I-frame playlist has #EXT-X-PART")]
    }

    static let hintEnded = Check<PlaylistDocument>(
        Rule(
            "hint-ended",
            in: .parts,
            clauses: "B4.4.5.3",
            .must,
            requires: "a playlist with #EXT-X-ENDLIST has no #EXT-X-PRELOAD-HINT",
            fix: "remove the hint"
        )
    ) { document in
        guard document.has("#EXT-X-ENDLIST") else { return [] }
        return document.tags("#EXT-X-PRELOAD-HINT").violations {
            Violation(document.place(line: $0.number), "#EXT-X-PRELOAD-HINT occurs in a finished playlist")
        }
    }

    static let hintOnce = Check<PlaylistDocument>(
        Rule(
            "hint-once",
            in: .parts,
            clauses: "B6.2.6",
            .should,
            requires: "#EXT-X-PRELOAD-HINT occurs once for each TYPE",
            fix: "remove the second hint"
        )
    ) { document in
        var seen: Set<String> = []
        return document.lists("#EXT-X-PRELOAD-HINT").violations { line, list in
            // Keys have one hint for each format.
            guard let type = list["TYPE"], type != "KEY", !seen.insert(type).inserted else { return nil }
            return Violation(document.place(line: line.number), "a second hint has TYPE=\(type)")
        }
    }

    static let hintGiven = Check<PlaylistDocument>(
        Rule(
            "hint-given",
            in: .parts,
            clauses: "A14.1",
            .must,
            requires: "a playlist with parts and without #EXT-X-ENDLIST hints at the next part",
            fix: "add #EXT-X-PRELOAD-HINT"
        )
    ) { document in
        // Gaps are not hinted, and after a gap the next part may be one.
        guard let last = document.tags("#EXT-X-PART").last, !document.has("#EXT-X-ENDLIST"),
            !document.has("#EXT-X-PRELOAD-HINT"), !document.has("#EXT-X-GAP"),
            !document.lists("#EXT-X-PART").contains(where: { $0.list["GAP"] == "YES" })
        else { return [] }
        return [Violation(document.place(line: last.number), "#EXT-X-PRELOAD-HINT is missing after the last part")]
    }

    static let reportRelative = Check<PlaylistDocument>(
        Rule(
            "report-relative",
            in: .parts,
            clauses: "B4.4.5.4",
            .must,
            requires: "URI of #EXT-X-RENDITION-REPORT is relative",
            fix: "write a relative URI"
        )
    ) { document in
        document.lists("#EXT-X-RENDITION-REPORT").violations { line, list in
            guard let uri = list["URI"], hasScheme(uri) else { return nil }
            return Violation(
                document.place(line: line.number),
                "URI is \(value: uri.prefix(60)), expected a relative URI"
            )
        }
    }

    private static func hasScheme(_ uri: String) -> Bool {
        var reader = FormReader(uri)
        guard reader.one(of: .alphabet) != nil else { return false }
        _ = reader.some(of: Letters("A-Za-z0-9+.-"))
        return reader.takes(":")
    }

    static let announced = Check<PlaylistDocument>(
        Rule(
            "parts-announced",
            in: .parts,
            clauses: "own",
            .advice,
            requires: "a live playlist with #EXT-X-PART-INF has parts, or hints at one",
            fix: "list parts, or remove #EXT-X-PART-INF"
        )
    ) { document in
        guard let line = document.tags("#EXT-X-PART-INF").first, !document.has("#EXT-X-PART"),
            !document.has("#EXT-X-PRELOAD-HINT"), !document.has("#EXT-X-ENDLIST")
        else { return [] }
        return [Violation(document.place(line: line.number), "no part and no hint follows #EXT-X-PART-INF")]
    }

    static let hintLast = Check<PlaylistDocument>(
        Rule(
            "hint-last",
            in: .parts,
            clauses: "own",
            .advice,
            requires: "no segment and no part follows #EXT-X-PRELOAD-HINT",
            fix: "move the hint to the end"
        )
    ) { document in
        guard document.has("#EXT-X-PRELOAD-HINT") else { return [] }
        guard let last = document.lines.last(where: { $0.isURI || $0.tag == "#EXT-X-PART" })?.number else { return [] }
        return document.lists("#EXT-X-PRELOAD-HINT").filter { $0.line.number < last && $0.list["TYPE"] == "PART" }.map {
            Violation(document.place(line: $0.line.number), "a segment or part follows the hint")
        }
    }

    static let skipPlace = Check<PlaylistDocument>(
        Rule(
            "skip-place",
            in: .parts,
            clauses: "own",
            .advice,
            requires: "sequence numbers precede #EXT-X-SKIP",
            fix: "move the tag before #EXT-X-SKIP"
        )
    ) { document in
        guard let skip = document.tags("#EXT-X-SKIP").first?.number else { return [] }
        let first = document.uriLines.first?.number ?? .max
        return ["#EXT-X-MEDIA-SEQUENCE", "#EXT-X-DISCONTINUITY-SEQUENCE"].flatMap { document.tags($0) }.filter {
            $0.number > skip && $0.number < first
        }.map { Violation(document.place(line: $0.number), "the sequence number follows #EXT-X-SKIP") }
    }
}
