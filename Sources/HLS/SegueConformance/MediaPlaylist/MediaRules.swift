internal import SegueBase
internal import SeguePlaylists

/// The rules on the lines of a media playlist.
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

    /// The durations of `#EXTINF` with their lines.
    private static func durations(_ document: PlaylistDocument) -> [(line: Int, seconds: Rational)] {
        document.tags("#EXTINF").compactMap { line in
            guard let seconds = Double(line.durationText), !seconds.isNaN else { return nil }
            return (line.number, Rational(seconds: min(max(seconds, -1), 10_000_000)))
        }
    }

    static let targetOnce = Check<PlaylistDocument>(
        Rule(
            "target-once",
            in: .mediaPlaylist,
            clauses: "R4.3.3, R4.3.3.1, B4.4.3, B4.4.3.1",
            .must,
            requires: "a media playlist has exactly one #EXT-X-TARGETDURATION",
            fix: "add the tag, or remove the repeated one"
        )
    ) { document in
        guard isMedia(document) else { return [] }
        let tags = document.tags("#EXT-X-TARGETDURATION")
        if tags.isEmpty { return [Violation(document.place(), "#EXT-X-TARGETDURATION is missing")] }
        return tags.dropFirst().map {
            Violation(document.place(line: $0.number), "#EXT-X-TARGETDURATION is repeated")
        }
    }

    static let targetLeast = Check<PlaylistDocument>(
        Rule(
            "target-least",
            in: .mediaPlaylist,
            clauses: "B4.4.3.1",
            .must,
            requires: "the target duration is at least 1 s",
            fix: "round the target duration up to whole seconds"
        )
    ) { document in
        document.tags("#EXT-X-TARGETDURATION").filter { Int($0.value) == 0 }.map {
            Violation(
                document.place(line: $0.number),
                Comparison("#EXT-X-TARGETDURATION is", 0, expected: .atLeast(1), unit: .seconds)
            )
        }
    }

    static let targetHolds = Check<PlaylistDocument>(
        Rule(
            "target-holds",
            in: .mediaPlaylist,
            clauses: "R4.3.3.1, R6.2.1, B4.4.3.1, B6.2.1",
            .must,
            requires: "each #EXTINF, rounded to whole seconds, is at most the target duration",
            fix:
                "raise #EXT-X-TARGETDURATION, or cut shorter segments; FFmpeg: -force_key_frames expr:gte(t,n_forced*6) with -hls_time 6"
        )
    ) { document in
        guard let target = document.tags("#EXT-X-TARGETDURATION").first.flatMap({ Int64($0.value) }), target > 0 else {
            return []
        }
        return durations(document).lazy.filter { $0.seconds.rounded(scale: 1) > target }.violations {
            Violation(
                document.place(line: $0.line),
                Comparison(
                    "#EXTINF is",
                    $0.seconds.seconds,
                    expected: .atMost(Double(target)),
                    unit: .seconds,
                    origin: "by #EXT-X-TARGETDURATION"
                )
            )
        }
    }

    static let durationGiven = Check<PlaylistDocument>(
        Rule(
            "duration-given",
            in: .mediaPlaylist,
            clauses: "R4.3.2.1, B4.4.4.1",
            .must,
            requires: "each segment has exactly one #EXTINF",
            fix: "write one #EXTINF before each URI"
        )
    ) { document in
        guard isMedia(document) else { return [] }
        var open = 0
        var violations: [Violation] = []
        for line in document.lines {
            if line.tag == "#EXTINF" { open += 1 }
            guard line.isURI, violations.count <= Violation.limit else { continue }
            if open != 1 {
                let message: Message =
                    open == 0
                    ? "no #EXTINF precedes the URI \(value: line.text.prefix(60).debugDescription)"
                    : "the segment has \(open) #EXTINF, expected 1"
                violations.append(Violation(document.place(line: line.number), message))
            }
            open = 0
        }
        if open > 0, let last = document.tags("#EXTINF").last {
            violations.append(Violation(document.place(line: last.number), "no URI follows #EXTINF"))
        }
        return violations
    }

    static let durationForm = Check<PlaylistDocument>(
        Rule(
            "duration-form",
            in: .mediaPlaylist,
            clauses: "R4.3.2.1, B4.4.4.1",
            .must,
            requires: "#EXTINF has a decimal number that is not negative",
            fix: "write the duration in seconds, such as 6.006"
        )
    ) { document in
        document.tags("#EXTINF").violations { line in
            let text = Substring(
                line.value.utf8.prefix { $0 != UInt8(ascii: ",") }.drop { $0 == 0x20 || $0 == 0x09 }
                    .prefix { $0 != 0x20 && $0 != 0x09 }
            )
            guard !PlaylistGrammar.Form.isDecimal(text) || Double(text) ?? .infinity > 1e7 else { return nil }
            let message: Message =
                "#EXTINF is \(value: String(text.prefix(40)).debugDescription), expected seconds such as 6.006"
            return Violation(document.place(line: line.number), message)
        }
    }

    static let durationComma = Check<PlaylistDocument>(
        Rule(
            "duration-comma",
            in: .mediaPlaylist,
            clauses: "own",
            .advice,
            requires: "a comma follows the duration in #EXTINF",
            fix: "add the comma"
        )
    ) { document in
        document.tags("#EXTINF").violations {
            $0.value.utf8.contains(UInt8(ascii: ","))
                ? nil : Violation(document.place(line: $0.number), "#EXTINF has no comma")
        }
    }

    static let durationPositive = Check<PlaylistDocument>(
        Rule(
            "duration-positive",
            in: .mediaPlaylist,
            clauses: "own",
            .advice,
            requires: "each #EXTINF is above 0 s",
            fix: "write the measured duration"
        )
    ) { document in
        document.tags("#EXTINF").violations { line in
            guard Double(line.durationText) == 0 else { return nil }
            return Violation(document.place(line: line.number), "#EXTINF is 0 s")
        }
    }

    static let sequenceFirst = Check<PlaylistDocument>(
        Rule(
            "sequence-first",
            in: .mediaPlaylist,
            clauses: "R4.3.3, R4.3.3.2, R4.3.3.3, B4.4.3, B4.4.3.2, B4.4.3.3",
            .must,
            requires: "sequence numbers occur once, before the first segment and the first discontinuity",
            fix: "move the tag to the start of the playlist"
        )
    ) { document in
        let first = document.uriLines.first?.number ?? .max
        let broken = document.tags("#EXT-X-DISCONTINUITY").first?.number ?? .max
        return [("#EXT-X-MEDIA-SEQUENCE", Int.max), ("#EXT-X-DISCONTINUITY-SEQUENCE", broken)].flatMap { name, other in
            document.tags(name).enumerated().compactMap { index, line in
                let trouble: String
                if index > 0 {
                    trouble = "repeated"
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

    static let kindGiven = Check<PlaylistDocument>(
        Rule(
            "vod-type",
            in: .mediaPlaylist,
            clauses: "A8.6, A8.8",
            .must,
            requires: "a playlist with #EXT-X-ENDLIST has #EXT-X-PLAYLIST-TYPE, unless it was live",
            fix: "add #EXT-X-PLAYLIST-TYPE:VOD; FFmpeg: -hls_playlist_type vod"
        )
    ) { document in
        guard isMedia(document), document.has("#EXT-X-ENDLIST"), !document.has("#EXT-X-PLAYLIST-TYPE"),
            // A playlist that has removed segments must not have a type.
            document.tags("#EXT-X-MEDIA-SEQUENCE").allSatisfy({ Int($0.value) ?? 0 <= 1 })
        else { return [] }
        return [Violation(document.place(), "#EXT-X-PLAYLIST-TYPE is missing in a playlist with #EXT-X-ENDLIST")]
    }

    static let endGiven = Check<PlaylistDocument>(
        Rule(
            "vod-end",
            in: .mediaPlaylist,
            clauses: "R6.2.1, B6.2.1",
            .must,
            requires: "a VOD playlist has #EXT-X-ENDLIST",
            fix:
                "add #EXT-X-ENDLIST; FFmpeg: do not set -hls_flags omit_endlist; GStreamer: end the pipeline with EOS (gst-launch-1.0 -e)"
        )
    ) { document in
        guard document.tags("#EXT-X-PLAYLIST-TYPE").contains(where: { $0.value == "VOD" }),
            document.tags("#EXT-X-ENDLIST").isEmpty
        else { return [] }
        return [Violation(document.place(), "#EXT-X-ENDLIST is missing in a VOD playlist")]
    }

    static let sameAgain = Check<PlaylistDocument>(
        Rule(
            "vod-unchanged",
            in: .mediaPlaylist,
            clauses: "R6.2.1, B6.2.1",
            .must,
            requires: "a playlist with #EXT-X-ENDLIST is the same on each request",
            fix: "serve one version from all servers"
        )
    ) { document in
        guard document.isSameAgain == false, !document.tags("#EXT-X-ENDLIST").isEmpty else { return [] }
        return [Violation(document.place(), "a second request returned a different playlist")]
    }

    static let length = Check<PlaylistDocument>(
        Rule(
            "segment-length",
            in: .mediaPlaylist,
            clauses: "A7.5, A7.6",
            .should,
            requires: "segments average 4 to 9 s, the last one excluded",
            fix:
                "set the segment duration to 6 s; FFmpeg: -hls_time 6; Shaka Packager: --segment_duration 6; Bento4: mp42hls --segment-duration 6; GStreamer: hlssink2 target-duration=6; nginx-rtmp: hls_fragment 6s"
        )
    ) { document in
        let inner = durations(document).dropLast()
        guard !inner.isEmpty, document.tags("#EXT-X-I-FRAMES-ONLY").isEmpty else { return [] }
        let mean = inner.reduce(0) { $0 + $1.seconds.seconds } / Double(inner.count)
        guard !(4...9).contains(mean) else { return [] }
        let comparison =
            mean < 4
            ? Comparison("segments average", mean, expected: .atLeast(4), unit: .seconds)
            : Comparison("segments average", mean, expected: .atMost(9), unit: .seconds)
        return [Violation(document.place(), comparison)]
    }

    static let noTail = Check<PlaylistDocument>(
        Rule(
            "sliver",
            in: .mediaPlaylist,
            clauses: "own",
            .advice,
            requires: "the last segment is at least 0.1 s long",
            fix: "merge the last segment into the one before"
        )
    ) { document in
        let all = durations(document)
        guard !document.tags("#EXT-X-ENDLIST").isEmpty, document.tags("#EXT-X-I-FRAMES-ONLY").isEmpty else { return [] }
        guard all.count > 1, let last = all.last, last.seconds > .zero, last.seconds < Rational(1, 10) else {
            return []
        }
        let comparison = Comparison(
            "the last segment lasts",
            last.seconds.seconds,
            expected: .atLeast(0.1),
            unit: .seconds
        )
        return [Violation(document.place(line: last.line), comparison)]
    }

    static let rangesInOrder = Check<PlaylistDocument>(
        Rule(
            "range-offset",
            in: .mediaPlaylist,
            clauses: "R4.3.2.2, B4.4.4.2",
            .must,
            requires: "a byte range without an offset follows a range of the same resource",
            fix: "write LENGTH@OFFSET"
        )
    ) { document in
        guard document.has("#EXT-X-BYTERANGE") else { return [] }
        var former: String?
        var open: PlaylistDocument.Line?
        var violations: [Violation] = []
        for line in document.lines {
            if line.tag == "#EXT-X-BYTERANGE" { open = line }
            guard line.isURI else { continue }
            if violations.count > Violation.limit { break }
            if let open, !open.value.utf8.contains(UInt8(ascii: "@")), former != line.value {
                let message: Message =
                    "byte range \(value: open.value) has no offset and follows no range of the same resource"
                violations.append(Violation(document.place(line: open.number), message))
            }
            former = open == nil ? nil : line.value
            open = nil
        }
        return violations
    }
}

extension PlaylistDocument.Line {
    /// The duration of `#EXTINF`, without the title.
    var durationText: Substring {
        Substring(value.utf8.prefix { $0 != UInt8(ascii: ",") && $0 != UInt8(ascii: " ") })
    }
}
