/// The rules on parts of segments, and on what is hinted and told of other renditions, as text.
enum PartRules {
    static let all: [Check<PlaylistDocument>] = [
        partInf, longest, shortest, sum, ranges, order, iFrames, hintEnded, hintOnce, hintGiven, reportRelative,
        announced, hintLast, skipPlace,
    ]

    static func partTarget(_ document: PlaylistDocument) -> Double? {
        document.lists("#EXT-X-PART-INF").first?.list.number("PART-TARGET")
    }

    /// Numbers are told in a few decimals.
    static let tolerance = 0.0005

    /// Parts have a bound.
    static let partInf = Check<PlaylistDocument>(
        Rule("part-inf", "B4.4.3.7", .must, "a playlist with parts has #EXT-X-PART-INF")
    ) { document in
        guard let line = document.tags("#EXT-X-PART").first, !document.has("#EXT-X-PART-INF") else { return [] }
        return [Violation(document.place(line: line.number), "there is no #EXT-X-PART-INF")]
    }

    /// A part with what is around it.
    private struct Part {
        let line: Int
        let duration: Double
        let isIndependent: Bool
        let isGap: Bool
        var endsSegment = false
    }

    /// The parts by their segment, with its `#EXTINF`; of the one that is not whole yet, nil.
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

    /// No part is longer than parts are said to be.
    static let longest = Check<PlaylistDocument>(
        Rule("part-longest", "B4.4.4.9", .must, "no part is longer than the part target")
    ) { document in
        guard let most = partTarget(document) else { return [] }
        return segments(document).flatMap(\.parts).lazy.filter { $0.duration > most + tolerance }.violations {
            Violation(
                document.place(line: $0.line),
                "it has \(Shown.seconds($0.duration)), the target \(Shown.seconds(most))"
            )
        }
    }

    /// Parts but some are about as long as they are said to be.
    static let shortest = Check<PlaylistDocument>(
        Rule(
            "part-shortest",
            "B4.4.4.9",
            .must,
            "a part has 85 % of the part target, unless it is independent, a gap or before one, or its segment's last"
        )
    ) { document in
        guard let most = partTarget(document) else { return [] }
        return segments(document).flatMap { parts, _, _ in
            parts.indices.compactMap { index in
                let part = parts[index]
                let isBeforeGap = index + 1 < parts.count && parts[index + 1].isGap
                // The last one yet may turn out to be its segment's last.
                let isLast = part.endsSegment || index + 1 == parts.count
                guard !part.isIndependent, !part.isGap, !isBeforeGap, !isLast,
                    part.duration < 0.85 * most - tolerance
                else { return nil }
                let message = "it has \(Shown.seconds(part.duration)), the target is \(Shown.seconds(most))"
                return Violation(document.place(line: part.line), message)
            }
        }
    }

    /// A segment is its parts.
    static let sum = Check<PlaylistDocument>(
        Rule("part-sum", "B3.2", .must, "the parts of a segment are as long together as it is, within 0.1 s")
    ) { document in
        // Of the first segment that has any, some may be gone.
        segments(document).dropFirst().violations { parts, duration, line in
            guard let duration, duration.isFinite else { return nil }
            let sum = parts.reduce(0) { $0 + $1.duration }
            // The durations are rounded, each for itself.
            guard abs(sum - duration) > 0.1 else { return nil }
            return Violation(
                document.place(line: line),
                "they have \(Shown.seconds(sum)), it \(Shown.seconds(duration))"
            )
        }
    }

    /// Parts of one file lie beside each other.
    static let ranges = Check<PlaylistDocument>(
        Rule("part-ranges", "B3.2", .must, "the byte ranges of a segment's parts in one resource do not overlap")
    ) { document in
        // What is taken of each resource by the parts of the segment so far.
        var taken: [String: [Range<Int64>]] = [:]
        return document.lines.compactMap { line in
            if line.isURI { taken = [:] }
            guard line.tag == "#EXT-X-PART" else { return nil }
            let list = RawAttributes(line.value)
            guard let uri = list["URI"], let value = list["BYTERANGE"] else { return nil }
            let numbers = value.split(separator: "@").map { UInt32($0) }
            guard let length = numbers.first ?? nil, length > 0, numbers.count < 3 else { return nil }
            // Without an offset it goes on where the one before ended.
            let offset = numbers.count == 2 ? numbers[1].map(Int64.init) : taken[uri]?.last?.upperBound
            guard let offset else { return nil }
            let range = offset..<offset + Int64(length)
            defer { taken[uri, default: []].append(range) }
            guard let other = taken[uri]?.last(where: { $0.overlaps(range) }) else { return nil }
            let first = max(range.lowerBound, other.lowerBound)
            return Violation(document.place(line: line.number), "byte \(first) is that of a part before it, too")
        }
    }

    /// What holds for a segment holds for its parts.
    static let order = Check<PlaylistDocument>(
        Rule(
            "part-order",
            "B4.4.4.9",
            .must,
            "#EXT-X-DISCONTINUITY, -KEY, -MAP and -PROGRAM-DATE-TIME stand before the first part of their segment"
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
            return Violation(document.place(line: line.number), "\(tag) stands behind a part")
        }
    }

    /// Pictures alone come whole.
    static let iFrames = Check<PlaylistDocument>(
        Rule("part-iframes", "B4.4.4.9", .should, "a playlist of I-frames has no parts")
    ) { document in
        guard document.has("#EXT-X-I-FRAMES-ONLY"), let line = document.tags("#EXT-X-PART").first else { return [] }
        return [Violation(document.place(line: line.number), "it has parts")]
    }

    /// At the end, nothing is to come.
    static let hintEnded = Check<PlaylistDocument>(
        Rule("hint-ended", "B4.4.5.3", .must, "a playlist with #EXT-X-ENDLIST has no #EXT-X-PRELOAD-HINT")
    ) { document in
        guard document.has("#EXT-X-ENDLIST") else { return [] }
        return document.tags("#EXT-X-PRELOAD-HINT").violations {
            Violation(document.place(line: $0.number), "it hints at what never comes")
        }
    }

    /// One thing is next.
    static let hintOnce = Check<PlaylistDocument>(
        Rule("hint-once", "B6.2.6", .should, "there is one #EXT-X-PRELOAD-HINT of a TYPE")
    ) { document in
        var seen: Set<String> = []
        return document.lists("#EXT-X-PRELOAD-HINT").violations { line, list in
            // Of keys, there is one for each format.
            guard let type = list["TYPE"], type != "KEY", !seen.insert(type).inserted else { return nil }
            return Violation(document.place(line: line.number), "there is one of TYPE \(type) already")
        }
    }

    /// Players are told what is next.
    static let hintGiven = Check<PlaylistDocument>(
        Rule("hint-given", "A14.1", .must, "a playlist with parts and without an end hints at the next")
    ) { document in
        // What is a gap is not hinted at, and where there are gaps, the next may be one.
        guard let last = document.tags("#EXT-X-PART").last, !document.has("#EXT-X-ENDLIST"),
            !document.has("#EXT-X-PRELOAD-HINT"), !document.has("#EXT-X-GAP"),
            !document.lists("#EXT-X-PART").contains(where: { $0.list["GAP"] == "YES" })
        else { return [] }
        return [Violation(document.place(line: last.number), "no #EXT-X-PRELOAD-HINT follows")]
    }

    /// Renditions are told of from where one is.
    static let reportRelative = Check<PlaylistDocument>(
        Rule("report-relative", "B4.4.5.4", .must, "URI of #EXT-X-RENDITION-REPORT is relative")
    ) { document in
        document.lists("#EXT-X-RENDITION-REPORT").violations { line, list in
            guard let uri = list["URI"], hasScheme(uri) else { return nil }
            return Violation(document.place(line: line.number), "URI is \(uri.prefix(60))")
        }
    }

    private static func hasScheme(_ uri: String) -> Bool {
        var reader = FormReader(uri)
        guard reader.one(of: .alphabet) != nil else { return false }
        _ = reader.some(of: Letters("A-Za-z0-9+.-"))
        return reader.takes(":")
    }

    /// What is announced comes.
    static let announced = Check<PlaylistDocument>(
        Rule("parts-announced", "own", .advice, "a live playlist with #EXT-X-PART-INF has parts, or hints at one")
    ) { document in
        guard let line = document.tags("#EXT-X-PART-INF").first, !document.has("#EXT-X-PART"),
            !document.has("#EXT-X-PRELOAD-HINT"), !document.has("#EXT-X-ENDLIST")
        else { return [] }
        return [Violation(document.place(line: line.number), "there is none")]
    }

    /// What is to come comes last.
    static let hintLast = Check<PlaylistDocument>(
        Rule("hint-last", "own", .advice, "no segment and no part stands behind #EXT-X-PRELOAD-HINT")
    ) { document in
        guard document.has("#EXT-X-PRELOAD-HINT") else { return [] }
        guard let last = document.lines.last(where: { $0.isURI || $0.tag == "#EXT-X-PART" })?.number else { return [] }
        return document.lists("#EXT-X-PRELOAD-HINT").filter { $0.line.number < last && $0.list["TYPE"] == "PART" }.map {
            Violation(document.place(line: $0.line.number), "more stands behind it")
        }
    }

    /// Numbers come before what they number, though it is skipped.
    static let skipPlace = Check<PlaylistDocument>(
        Rule("skip-place", "own", .advice, "sequence numbers stand before #EXT-X-SKIP")
    ) { document in
        guard let skip = document.tags("#EXT-X-SKIP").first?.number else { return [] }
        let first = document.uriLines.first?.number ?? .max
        return ["#EXT-X-MEDIA-SEQUENCE", "#EXT-X-DISCONTINUITY-SEQUENCE"].flatMap { document.tags($0) }.filter {
            $0.number > skip && $0.number < first
        }.map { Violation(document.place(line: $0.number), "it stands behind #EXT-X-SKIP") }
    }
}
