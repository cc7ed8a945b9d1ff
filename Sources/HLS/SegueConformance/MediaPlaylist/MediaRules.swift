internal import SegueBase
internal import SeguePlaylists

/// The rules on a media playlist's own lines.
enum MediaRules {
    static let all: [Check<PlaylistDocument>] = [
        targetOnce, targetLeast, targetHolds, durationGiven, durationForm, durationComma, durationPositive,
        sequenceFirst,
        kindGiven, endGiven, sameAgain, length, noTail, rangesInOrder,
    ]

    private static func isMedia(_ document: PlaylistDocument) -> Bool {
        !SyntaxRules.ofMultivariant.contains(where: document.has)
            && (!document.uriLines.isEmpty || SyntaxRules.ofMedia.contains(where: document.has))
    }

    /// The durations as written, with their lines.
    private static func durations(_ document: PlaylistDocument) -> [(line: Int, seconds: Rational)] {
        document.tags("#EXTINF").compactMap { line in
            guard let seconds = Double(line.durationText), !seconds.isNaN else { return nil }
            return (line.number, Rational(seconds: min(max(seconds, -1), 10_000_000)))
        }
    }

    /// The target duration is there, once.
    static let targetOnce = Check<PlaylistDocument>(
        Rule(
            "target-once",
            "R4.3.3, R4.3.3.1, B4.4.3, B4.4.3.1",
            .must,
            "a media playlist has one #EXT-X-TARGETDURATION"
        )
    ) { document in
        guard isMedia(document) else { return [] }
        let tags = document.tags("#EXT-X-TARGETDURATION")
        if tags.isEmpty { return [Violation(document.place(), "there is no #EXT-X-TARGETDURATION")] }
        return tags.dropFirst().map {
            Violation(document.place(line: $0.number), "#EXT-X-TARGETDURATION is there again")
        }
    }

    /// The target is a second at least.
    static let targetLeast = Check<PlaylistDocument>(
        Rule("target-least", "B4.4.3.1", .must, "the target duration is 1 at least")
    ) { document in
        document.tags("#EXT-X-TARGETDURATION").filter { Int($0.value) == 0 }.map {
            Violation(document.place(line: $0.number), "it is 0")
        }
    }

    /// No segment is longer than the target.
    static let targetHolds = Check<PlaylistDocument>(
        Rule(
            "target-holds",
            "R4.3.3.1, R6.2.1, B4.4.3.1, B6.2.1",
            .must,
            "no #EXTINF, rounded, is above the target duration"
        )
    ) { document in
        guard let target = document.tags("#EXT-X-TARGETDURATION").first.flatMap({ Int64($0.value) }), target > 0 else {
            return []
        }
        return durations(document).lazy.filter { $0.seconds.rounded(scale: 1) > target }.violations {
            Violation(document.place(line: $0.line), "\($0.seconds.seconds) s, with a target of \(target) s")
        }
    }

    /// Each segment says how long it is.
    static let durationGiven = Check<PlaylistDocument>(
        Rule("duration-given", "R4.3.2.1, B4.4.4.1", .must, "each segment has one #EXTINF")
    ) { document in
        guard isMedia(document) else { return [] }
        var open = 0
        var violations: [Violation] = []
        for line in document.lines {
            if line.tag == "#EXTINF" { open += 1 }
            guard line.isURI, violations.count <= Violation.most else { continue }
            if open != 1 { violations.append(Violation(document.place(line: line.number), "it has \(open) #EXTINF")) }
            open = 0
        }
        if open > 0, let last = document.tags("#EXTINF").last {
            violations.append(Violation(document.place(line: last.number), "no URI follows it"))
        }
        return violations
    }

    /// A duration is a number.
    static let durationForm = Check<PlaylistDocument>(
        Rule("duration-form", "R4.3.2.1, B4.4.4.1", .must, "#EXTINF has a decimal number that is not negative")
    ) { document in
        document.tags("#EXTINF").violations { line in
            let text = Substring(
                line.value.utf8.prefix { $0 != UInt8(ascii: ",") }.drop { $0 == 0x20 || $0 == 0x09 }
                    .prefix { $0 != 0x20 && $0 != 0x09 }
            )
            guard !PlaylistGrammar.Form.isDecimal(text) || Double(text) ?? .infinity > 1e7 else { return nil }
            let message = "its duration is \(String(text.prefix(40)).debugDescription)"
            return Violation(document.place(line: line.number), message)
        }
    }

    /// What stands behind the duration is a title.
    static let durationComma = Check<PlaylistDocument>(
        Rule("duration-comma", "own", .advice, "a comma stands behind the duration")
    ) { document in
        document.tags("#EXTINF").violations {
            $0.value.utf8.contains(UInt8(ascii: ","))
                ? nil : Violation(document.place(line: $0.number), "it has no comma")
        }
    }

    /// A segment takes time.
    static let durationPositive = Check<PlaylistDocument>(
        Rule("duration-positive", "own", .advice, "each #EXTINF is above 0")
    ) { document in
        document.tags("#EXTINF").violations { line in
            guard Double(line.durationText) == 0 else { return nil }
            return Violation(document.place(line: line.number), "its duration is 0")
        }
    }

    /// Numbers come before what they number.
    static let sequenceFirst = Check<PlaylistDocument>(
        Rule(
            "sequence-first",
            "R4.3.3, R4.3.3.2, R4.3.3.3, B4.4.3, B4.4.3.2, B4.4.3.3",
            .must,
            "sequence numbers are given once, before the first segment and the first discontinuity"
        )
    ) { document in
        let first = document.uriLines.first?.number ?? .max
        let broken = document.tags("#EXT-X-DISCONTINUITY").first?.number ?? .max
        return [("#EXT-X-MEDIA-SEQUENCE", Int.max), ("#EXT-X-DISCONTINUITY-SEQUENCE", broken)].flatMap { name, other in
            document.tags(name).enumerated().compactMap { index, line in
                let trouble: String
                if index > 0 {
                    trouble = "there again"
                } else if line.number > first {
                    trouble = "after a segment"
                } else if line.number > other {
                    trouble = "after a discontinuity"
                } else {
                    return nil
                }
                return Violation(document.place(line: line.number), "\(name) is \(trouble)")
            }
        }
    }

    /// What does not change says so.
    static let kindGiven = Check<PlaylistDocument>(
        Rule("vod-type", "A8.6, A8.8", .must, "a playlist with an end has #EXT-X-PLAYLIST-TYPE, unless it was live")
    ) { document in
        guard isMedia(document), document.has("#EXT-X-ENDLIST"), !document.has("#EXT-X-PLAYLIST-TYPE"),
            // Where segments have been taken away, it must not have one.
            document.tags("#EXT-X-MEDIA-SEQUENCE").allSatisfy({ Int($0.value) ?? 0 <= 1 })
        else { return [] }
        return [Violation(document.place(), "it has #EXT-X-ENDLIST and no #EXT-X-PLAYLIST-TYPE")]
    }

    /// A playlist of what does not change is whole.
    static let endGiven = Check<PlaylistDocument>(
        Rule("vod-end", "R6.2.1, B6.2.1", .must, "a VOD playlist has #EXT-X-ENDLIST")
    ) { document in
        guard document.tags("#EXT-X-PLAYLIST-TYPE").contains(where: { $0.value == "VOD" }),
            document.tags("#EXT-X-ENDLIST").isEmpty
        else { return [] }
        return [Violation(document.place(), "it is VOD and has no #EXT-X-ENDLIST")]
    }

    /// What does not change is the same on each fetch.
    static let sameAgain = Check<PlaylistDocument>(
        Rule(
            "vod-unchanged",
            "R6.2.1, B6.2.1",
            .must,
            "a playlist with an end is the same on each fetch"
        )
    ) { document in
        guard document.isSameAgain == false, !document.tags("#EXT-X-ENDLIST").isEmpty else { return [] }
        return [Violation(document.place(), "a second fetch gave another playlist")]
    }

    /// Segments are about six seconds long.
    static let length = Check<PlaylistDocument>(
        Rule("segment-length", "A7.5, A7.6", .should, "segments but the last are 4 to 9 s long on average")
    ) { document in
        let inner = durations(document).dropLast()
        guard !inner.isEmpty, document.tags("#EXT-X-I-FRAMES-ONLY").isEmpty else { return [] }
        let mean = inner.reduce(0) { $0 + $1.seconds.seconds } / Double(inner.count)
        guard !(4...9).contains(mean) else { return [] }
        return [Violation(document.place(), "they are \(Shown.seconds(mean)) on average")]
    }

    /// No slivers at the end.
    static let noTail = Check<PlaylistDocument>(
        Rule("sliver", "own", .advice, "the last segment is not under 0.1 s where others are before it")
    ) { document in
        let all = durations(document)
        guard !document.tags("#EXT-X-ENDLIST").isEmpty, document.tags("#EXT-X-I-FRAMES-ONLY").isEmpty else { return [] }
        guard all.count > 1, let last = all.last, last.seconds > .zero, last.seconds < Rational(1, 10) else {
            return []
        }
        return [Violation(document.place(line: last.line), "the last segment has \(last.seconds.seconds) s")]
    }

    /// A byte range says where it begins, or goes on.
    static let rangesInOrder = Check<PlaylistDocument>(
        Rule(
            "range-offset",
            "R4.3.2.2, B4.4.4.2",
            .must,
            "a byte range without an offset goes on after one of the same file"
        )
    ) { document in
        guard document.has("#EXT-X-BYTERANGE") else { return [] }
        var former: String?
        var open: PlaylistDocument.Line?
        var violations: [Violation] = []
        for line in document.lines {
            if line.tag == "#EXT-X-BYTERANGE" { open = line }
            guard line.isURI else { continue }
            if violations.count > Violation.most { break }
            if let open, !open.value.utf8.contains(UInt8(ascii: "@")), former != line.value {
                let message = "\(open.value) has no offset and goes on from no range"
                violations.append(Violation(document.place(line: open.number), message))
            }
            former = open == nil ? nil : line.value
            open = nil
        }
        return violations
    }
}

extension PlaylistDocument.Line {
    /// What stands before the title of `#EXTINF`.
    var durationText: Substring {
        Substring(value.utf8.prefix { $0 != UInt8(ascii: ",") && $0 != UInt8(ascii: " ") })
    }
}

/// Numbers for people.
enum Shown {
    /// Seconds with at most three decimals.
    static func seconds(_ value: Double) -> String { "\((value * 1000).rounded() / 1000) s" }

    /// Seconds with at most three decimals.
    static func seconds(_ value: Rational) -> String { seconds(value.seconds) }

    /// A difference in milliseconds, with its sign.
    static func milliseconds(_ value: Rational) -> String {
        let shown = (value.seconds * 100_000).rounded() / 100
        return (shown > 0 ? "+" : "") + "\(shown) ms"
    }
}
