internal import SegueBase
internal import SeguePlaylists

/// The rule on `#EXT-X-BITRATE`.
enum BitrateRules {
    static let all: [Check<MediaSubject>] = [bitrate]

    static let bitrate = Check<MediaSubject>(
        Rule(
            "bitrate-true",
            in: .mediaPlaylist,
            clauses: "B4.4.4.8",
            .must,
            requires: "#EXT-X-BITRATE is within 10 % of the bit rate of each segment that it covers",
            fix: "write the measured bit rate, rounded to kbit/s"
        )
    ) { subject in
        let stated = statedRates(subject.document)
        return subject.entries.compactMap { segment, entry in
            guard segment.number < stated.count, let rate = stated[segment.number], entry.byteRange == nil,
                entry.duration.seconds > 0, segment.failure == nil
            else { return nil }
            let found = Double(segment.size) * 8 / entry.duration.seconds
            // The tag has whole kbit/s.
            let (least, greatest) = ((Double(rate) + 0.5) * 1000, (Double(rate) - 0.5) * 1000)
            guard least < found * 0.9 || greatest > found * 1.1 else { return nil }
            return Violation(
                subject.place(segment),
                Comparison(
                    "the segment's bit rate is",
                    found,
                    expected: .within(Double(rate) * 1000, percent: 10),
                    unit: .bitsPerSecond,
                    origin: "by #EXT-X-BITRATE"
                )
            )
        }
    }

    /// The stated rate of each segment in kbit/s.
    private static func statedRates(_ document: PlaylistDocument) -> [Int?] {
        var open: Int?
        return document.lines.compactMap { line -> Int?? in
            if line.tag == "#EXT-X-BITRATE" { open = Int(line.value) }
            return line.isURI ? .some(open) : nil
        }
    }
}
