internal import SegueBase

/// The rules on program dates, and on the time that a live playlist holds.
enum TimeRules {
    static let all: [Check<PlaylistDocument>] = [
        dateTimes, exact, order, discontinuities, startLive, live, window, windowTime, sequence,
    ]

    private static func isLive(_ document: PlaylistDocument) -> Bool {
        document.has("#EXTINF") && document.has("#EXT-X-TARGETDURATION") && !document.has("#EXT-X-ENDLIST")
            && !document.has("#EXT-X-PLAYLIST-TYPE") && !document.has("#EXT-X-SKIP")
    }

    /// Dates can be read.
    static let dateTimes = Check<PlaylistDocument>(
        Rule(
            "date-time",
            "R4.3.2.6, B4.4.4.6",
            .must,
            "#EXT-X-PROGRAM-DATE-TIME is a date and a time as ISO 8601 has them"
        )
    ) { document in
        document.tags("#EXT-X-PROGRAM-DATE-TIME").violations {
            guard ISO8601Time($0.value) == nil else { return nil }
            let shown = String($0.value.prefix(40)).debugDescription
            return Violation(document.place(line: $0.number), "\(shown) is none")
        }
    }

    /// Dates are exact.
    static let exact = Check<PlaylistDocument>(
        Rule("date-time-zone", "R4.3.2.6, B4.4.4.6", .should, "program dates have a time zone and milliseconds")
    ) { document in
        document.tags("#EXT-X-PROGRAM-DATE-TIME").violations { line in
            guard let date = ISO8601Time(line.value), !date.hasZone || date.fractionDigits < 3 else { return nil }
            let message = date.hasZone ? "it has no milliseconds" : "it has no time zone"
            return Violation(document.place(line: line.number), message)
        }
    }

    /// A date is of one segment.
    static let order = Check<PlaylistDocument>(
        Rule("date-time-order", "R6.2.1, B6.2.1", .must, "no date is of two segments, but for less than a second")
    ) { document in
        guard !document.has("#EXT-X-I-FRAMES-ONLY"), !document.has("#EXT-X-SKIP") else { return [] }
        let spans = spans(document).sorted { $0.start < $1.start }
        return zip(spans, spans.dropFirst()).violations { former, next in
            // Clocks drift, and the texts let them, below a second.
            guard former.end - next.start > 1, next.end - next.start > 1 else { return nil }
            let later = max(former.line, next.line)
            let message = "its dates are \(Shown.seconds(min(former.end, next.end) - next.start)) those of another"
            return Violation(document.place(line: later), message)
        }
    }

    /// When the last segment that dates tell of ends.
    static func end(_ document: PlaylistDocument) -> Double? { spans(document).map(\.end).max() }

    /// From when until when each segment is, as far as dates tell, with its URI's line.
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

    /// Where the timeline breaks off, a date says where it goes on.
    static let discontinuities = Check<PlaylistDocument>(
        Rule("date-time-again", "R6.2.1, B6.2.1", .should, "where there are dates, each discontinuity has one")
    ) { document in
        guard document.has("#EXT-X-PROGRAM-DATE-TIME") else { return [] }
        var open: Int?
        var hasDate = false
        var violations: [Violation] = []
        for line in document.lines {
            if line.tag == "#EXT-X-DISCONTINUITY" { open = line.number }
            if line.tag == "#EXT-X-PROGRAM-DATE-TIME" { hasDate = true }
            guard line.isURI else { continue }
            if let open, !hasDate { violations.append(Violation(document.place(line: open), "no date stands with it")) }
            (open, hasDate) = (nil, false)
        }
        return violations
    }

    /// Nobody begins where nothing is yet.
    static let startLive = Check<PlaylistDocument>(
        Rule(
            "start-live",
            "R4.3.5.2, B4.4.2.2",
            .should,
            "without an end, #EXT-X-START is not within three target durations of the last segment's"
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
        let message = "it is \(Shown.seconds(left)) before the end, the target is \(Shown.seconds(target))"
        return [Violation(document.place(line: line.number), message)]
    }

    /// What is live has dates.
    static let live = Check<PlaylistDocument>(
        Rule("live-date", "A8.4", .must, "a live playlist has #EXT-X-PROGRAM-DATE-TIME")
    ) { document in
        guard isLive(document), !document.has("#EXT-X-PROGRAM-DATE-TIME") else { return [] }
        return [Violation(document.place(), "it has none")]
    }

    /// There is something to choose from.
    static let window = Check<PlaylistDocument>(
        Rule("live-segments", "A8.11", .must, "a live playlist has six segments")
    ) { document in
        let count = document.tags("#EXTINF").count
        guard isLive(document), count < 6 else { return [] }
        return [Violation(document.place(), "it has \(count)")]
    }

    /// One can go back.
    static let windowTime = Check<PlaylistDocument>(
        Rule("live-window", "A8.12", .should, "a live playlist has 15 minutes")
    ) { document in
        guard isLive(document) else { return [] }
        let all = document.tags("#EXTINF").compactMap { Double($0.durationText) }
        let length = all.reduce(0, +)
        guard all.count >= 6, length < 900 else { return [] }
        return [Violation(document.place(), "it has \(Shown.seconds(length))")]
    }

    /// Breaks are counted from the beginning.
    static let sequence = Check<PlaylistDocument>(
        Rule("live-discontinuities", "A8.17", .must, "a live playlist with discontinuities has their sequence number")
    ) { document in
        guard isLive(document), let line = document.tags("#EXT-X-DISCONTINUITY").first,
            !document.has("#EXT-X-DISCONTINUITY-SEQUENCE")
        else { return [] }
        return [Violation(document.place(line: line.number), "there is no #EXT-X-DISCONTINUITY-SEQUENCE")]
    }
}
