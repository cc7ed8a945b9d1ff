internal import SegueBase

/// The rules on program dates and on the length of a live playlist.
enum TimeRules {
    static let all: [Check<PlaylistDocument>] = [
        dateTimes, exact, order, discontinuities, startLive, live, window, windowTime, sequence,
    ]

    private static func isLive(_ document: PlaylistDocument) -> Bool {
        document.has("#EXTINF") && document.has("#EXT-X-TARGETDURATION") && !document.has("#EXT-X-ENDLIST")
            && !document.has("#EXT-X-PLAYLIST-TYPE") && !document.has("#EXT-X-SKIP")
    }

    static let dateTimes = Check<PlaylistDocument>(
        Rule(
            "date-time",
            in: .mediaPlaylist,
            clauses: "R4.3.2.6, B4.4.4.6",
            .must,
            requires: "#EXT-X-PROGRAM-DATE-TIME is a date and time of ISO 8601",
            fix: "write a date such as 2026-01-31T12:00:00.000Z"
        )
    ) { document in
        document.tags("#EXT-X-PROGRAM-DATE-TIME").violations {
            guard ISO8601Time($0.value) == nil else { return nil }
            let shown = String($0.value.prefix(40)).debugDescription
            return Violation(document.place(line: $0.number), "\(value: shown) is not an ISO 8601 date and time")
        }
    }

    static let exact = Check<PlaylistDocument>(
        Rule(
            "date-time-zone",
            in: .mediaPlaylist,
            clauses: "R4.3.2.6, B4.4.4.6",
            .should,
            requires: "program dates have a time zone and milliseconds",
            fix: "write a date such as 2026-01-31T12:00:00.000Z"
        )
    ) { document in
        document.tags("#EXT-X-PROGRAM-DATE-TIME").violations { line in
            guard let date = ISO8601Time(line.value), !date.hasZone || date.fractionDigits < 3 else { return nil }
            let message: Message = date.hasZone ? "the date has no milliseconds" : "the date has no time zone"
            return Violation(document.place(line: line.number), message)
        }
    }

    static let order = Check<PlaylistDocument>(
        Rule(
            "date-time-order",
            in: .mediaPlaylist,
            clauses: "R6.2.1, B6.2.1",
            .must,
            requires: "the dates of segments do not overlap by more than 1 s",
            fix: "derive dates from the media time"
        )
    ) { document in
        guard !document.has("#EXT-X-I-FRAMES-ONLY"), !document.has("#EXT-X-SKIP") else { return [] }
        let spans = spans(document).sorted { $0.start < $1.start }
        return zip(spans, spans.dropFirst()).violations { former, next in
            // The texts allow clock drift below one second.
            guard former.end - next.start > 1, next.end - next.start > 1 else { return nil }
            let later = max(former.line, next.line)
            let overlap = DisplayText.seconds(min(former.end, next.end) - next.start)
            let message: Message = "the dates of the segment overlap another segment by \(overlap)"
            return Violation(document.place(line: later), message)
        }
    }

    /// The date of the end of the last dated segment, in seconds since 1970.
    static func end(_ document: PlaylistDocument) -> Double? { spans(document).map(\.end).max() }

    /// The start and end dates of each dated segment with the line of its URI.
    private static func spans(_ document: PlaylistDocument) -> [(start: Double, end: Double, line: Int)] {
        guard document.has("#EXT-X-PROGRAM-DATE-TIME") else { return [] }
        var all: [(start: Double, end: Double, line: Int)] = []
        var expected: Double?
        var begins: Double?
        var duration = 0.0
        for line in document.lines {
            if line.tag == "#EXTINF" {
                duration = Double(line.durationText) ?? 0
            } else if line.tag == "#EXT-X-PROGRAM-DATE-TIME" {
                begins = ISO8601Time(line.value)?.secondsSince1970
            } else if line.tag == "#EXT-X-DISCONTINUITY", begins == nil {
                expected = nil
            } else if line.isURI {
                if let start = begins ?? expected, duration > 0, duration < 1e7 {
                    all.append((start, start + duration, line.number))
                    expected = start + duration
                }
                (begins, duration) = (nil, 0)
            }
        }
        return all
    }

    static let discontinuities = Check<PlaylistDocument>(
        Rule(
            "date-time-again",
            in: .mediaPlaylist,
            clauses: "R6.2.1, B6.2.1",
            .should,
            requires: "in a playlist with dates, each discontinuity has one",
            fix: "add #EXT-X-PROGRAM-DATE-TIME after the discontinuity"
        )
    ) { document in
        guard document.has("#EXT-X-PROGRAM-DATE-TIME") else { return [] }
        var open: Int?
        var hasDate = false
        var violations: [Violation] = []
        for line in document.lines {
            if line.tag == "#EXT-X-DISCONTINUITY" { open = line.number }
            if line.tag == "#EXT-X-PROGRAM-DATE-TIME" { hasDate = true }
            guard line.isURI else { continue }
            if let open, !hasDate {
                violations.append(
                    Violation(document.place(line: open), "#EXT-X-DISCONTINUITY has no #EXT-X-PROGRAM-DATE-TIME")
                )
            }
            (open, hasDate) = (nil, false)
        }
        return violations
    }

    static let startLive = Check<PlaylistDocument>(
        Rule(
            "start-live",
            in: .mediaPlaylist,
            clauses: "R4.3.5.2, B4.4.2.2",
            .should,
            requires: "without #EXT-X-ENDLIST, #EXT-X-START is at least three target durations before the end",
            fix: "write a TIME-OFFSET further from the end"
        )
    ) { document in
        guard document.has("#EXTINF"), !document.has("#EXT-X-ENDLIST"), !document.has("#EXT-X-SKIP"),
            let target = document.tags("#EXT-X-TARGETDURATION").first.flatMap({ Double($0.value) }),
            let (line, list) = document.lists("#EXT-X-START").first, let offset = list.number("TIME-OFFSET")
        else { return [] }
        let length = document.tags("#EXTINF").compactMap { Double($0.durationText) }
            .reduce(0, +)
        let left = offset < 0 ? -offset : length - offset
        guard left < 3 * target, left >= 0 else { return [] }
        let comparison = Comparison(
            "#EXT-X-START is",
            left,
            expected: .atLeast(3 * target),
            unit: .seconds,
            origin: "before the end (3 target durations)"
        )
        return [Violation(document.place(line: line.number), comparison)]
    }

    static let live = Check<PlaylistDocument>(
        Rule(
            "live-date",
            in: .mediaPlaylist,
            clauses: "A8.4",
            .must,
            requires: "a live playlist has #EXT-X-PROGRAM-DATE-TIME",
            fix: "add #EXT-X-PROGRAM-DATE-TIME; FFmpeg: -hls_flags program_date_time"
        )
    ) { document in
        guard isLive(document), !document.has("#EXT-X-PROGRAM-DATE-TIME") else { return [] }
        return [Violation(document.place(), "#EXT-X-PROGRAM-DATE-TIME is missing")]
    }

    static let window = Check<PlaylistDocument>(
        Rule(
            "live-segments",
            in: .mediaPlaylist,
            clauses: "A8.11",
            .must,
            requires: "a live playlist has at least six segments",
            fix:
                "keep more segments in the playlist; FFmpeg: -hls_list_size; GStreamer: hlssink2 playlist-length; nginx-rtmp: hls_playlist_length"
        )
    ) { document in
        let count = document.tags("#EXTINF").count
        guard isLive(document), count < 6 else { return [] }
        return [
            Violation(
                document.place(),
                Comparison("the playlist has", Double(count), expected: .atLeast(6), unit: .segments)
            )
        ]
    }

    static let windowTime = Check<PlaylistDocument>(
        Rule(
            "live-window",
            in: .mediaPlaylist,
            clauses: "A8.12",
            .should,
            requires: "a live playlist spans at least 15 minutes",
            fix:
                "keep more segments in the playlist; FFmpeg: -hls_list_size; GStreamer: hlssink2 playlist-length; nginx-rtmp: hls_playlist_length"
        )
    ) { document in
        guard isLive(document) else { return [] }
        let all = document.tags("#EXTINF").compactMap { Double($0.durationText) }
        let length = all.reduce(0, +)
        guard all.count >= 6, length < 900 else { return [] }
        return [
            Violation(
                document.place(),
                Comparison("the playlist spans", length, expected: .atLeast(900), unit: .seconds)
            )
        ]
    }

    static let sequence = Check<PlaylistDocument>(
        Rule(
            "live-discontinuities",
            in: .mediaPlaylist,
            clauses: "A8.17",
            .must,
            requires: "a live playlist with discontinuities has #EXT-X-DISCONTINUITY-SEQUENCE",
            fix: "add #EXT-X-DISCONTINUITY-SEQUENCE"
        )
    ) { document in
        guard isLive(document), let line = document.tags("#EXT-X-DISCONTINUITY").first,
            !document.has("#EXT-X-DISCONTINUITY-SEQUENCE")
        else { return [] }
        return [Violation(document.place(line: line.number), "#EXT-X-DISCONTINUITY-SEQUENCE is missing")]
    }
}
