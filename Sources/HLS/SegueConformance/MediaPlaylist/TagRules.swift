internal import SegueBase
internal import SeguePlaylists

/// The rules on `#EXT-X-DATERANGE` without dates and on `#EXT-X-START`.
enum TagRules {
    static let all: [Check<PlaylistDocument>] = [dates, start]

    static let dates = Check<PlaylistDocument>(
        Rule(
            "date-range",
            in: .dateRanges,
            clauses: "R4.3.2.7, B4.4.5.1",
            .must,
            requires: "a playlist with #EXT-X-DATERANGE has #EXT-X-PROGRAM-DATE-TIME",
            fix: "add #EXT-X-PROGRAM-DATE-TIME"
        )
    ) { document in
        // A delta update may skip the dates.
        guard let line = document.tags("#EXT-X-DATERANGE").first, !document.has("#EXT-X-PROGRAM-DATE-TIME"),
            !document.has("#EXT-X-SKIP")
        else { return [] }
        return [Violation(document.place(line: line.number), "#EXT-X-PROGRAM-DATE-TIME is missing")]
    }

    static let start = Check<PlaylistDocument>(
        Rule(
            "start-inside",
            in: .mediaPlaylist,
            clauses: "R4.3.5.2, B4.4.2.2",
            .should,
            requires: "#EXT-X-START lies within the playlist",
            fix: "reduce TIME-OFFSET"
        )
    ) { document in
        guard let media = document.media, let start = media.start, media.hasEndList,
            max(start.timeOffset, -start.timeOffset) > media.duration
        else { return [] }
        return [
            Violation(
                document.place(line: document.tags("#EXT-X-START").first?.number),
                Comparison(
                    "TIME-OFFSET is",
                    start.timeOffset.seconds.magnitude,
                    expected: .atMost(media.duration.seconds),
                    unit: .seconds,
                    origin: "from either end of the playlist"
                )
            )
        ]
    }
}
