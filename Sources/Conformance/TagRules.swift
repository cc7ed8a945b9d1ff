internal import HLS
internal import Timeline

/// The rules on dates and on where to begin.
enum TagRules {
    static let all: [Check<PlaylistDocument>] = [dates, dateTimes, start]

    /// Date ranges are whole, and lie on a timeline with dates.
    static let dates = Check<PlaylistDocument>(
        Rule(
            "date-range",
            "R4.3.2.7",
            .must,
            "#EXT-X-DATERANGE has ID and START-DATE, and the playlist has #EXT-X-PROGRAM-DATE-TIME"
        )
    ) { document in
        let hasDates = !document.tags("#EXT-X-PROGRAM-DATE-TIME").isEmpty
        return document.tags("#EXT-X-DATERANGE").compactMap { line in
            let attributes = RawAttributes(line.value)
            let place = document.place(line: line.number)
            for name in ["ID", "START-DATE"] where attributes[name] == nil {
                return Violation(place, "it has no \(name)")
            }
            if let text = attributes["DURATION"], !(Double(text) ?? -1 >= 0) {
                return Violation(place, "its DURATION is \(text.debugDescription)")
            }
            return hasDates ? nil : Violation(place, "the playlist has no #EXT-X-PROGRAM-DATE-TIME")
        }
    }

    /// Dates can be read.
    static let dateTimes = Check<PlaylistDocument>(
        Rule("date-time", "R4.3.2.6", .must, "#EXT-X-PROGRAM-DATE-TIME is a date and a time as ISO 8601 has them")
    ) { document in
        document.tags("#EXT-X-PROGRAM-DATE-TIME").filter { !isDate($0.value) }.map {
            Violation(document.place(line: $0.number), "\(String($0.value.prefix(40)).debugDescription) is none")
        }
    }

    private static func isDate(_ text: some StringProtocol) -> Bool {
        let digits = text.utf8.prefix(19).map { (0x30...0x39).contains($0) ? UInt8(ascii: "0") : $0 }
        return digits.elementsEqual("0000-00-00T00:00:00".utf8)
    }

    /// A place to begin is in the playlist.
    static let start = Check<PlaylistDocument>(
        Rule("start-inside", "R4.3.5.2", .should, "#EXT-X-START is not beyond the playlist")
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
