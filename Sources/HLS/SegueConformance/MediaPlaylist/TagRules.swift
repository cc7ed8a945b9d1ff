internal import SegueBase
internal import SeguePlaylists

/// The rules on dates and on where to begin.
enum TagRules {
    static let all: [Check<PlaylistDocument>] = [dates, start]

    /// Date ranges lie on a timeline with dates.
    static let dates = Check<PlaylistDocument>(
        Rule(
            "date-range",
            "R4.3.2.7, B4.4.5.1",
            .must,
            "a playlist with #EXT-X-DATERANGE has #EXT-X-PROGRAM-DATE-TIME"
        )
    ) { document in
        // Of a delta update, the dates may be in what is skipped.
        guard let line = document.tags("#EXT-X-DATERANGE").first, !document.has("#EXT-X-PROGRAM-DATE-TIME"),
            !document.has("#EXT-X-SKIP")
        else { return [] }
        return [Violation(document.place(line: line.number), "the playlist has no #EXT-X-PROGRAM-DATE-TIME")]
    }

    /// A place to begin is in the playlist.
    static let start = Check<PlaylistDocument>(
        Rule("start-inside", "R4.3.5.2, B4.4.2.2", .should, "#EXT-X-START is not beyond the playlist")
    ) { document in
        guard let media = document.media, let start = media.start, media.hasEndList,
            max(start.timeOffset, -start.timeOffset) > media.duration
        else { return [] }
        return [
            Violation(
                document.place(line: document.tags("#EXT-X-START").first?.number),
                "TIME-OFFSET is \(Shown.seconds(start.timeOffset)), the playlist has \(Shown.seconds(media.duration))"
            )
        ]
    }
}
