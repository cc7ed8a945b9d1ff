internal import SegueBase
internal import SeguePlaylists

/// The rule on the bit rates that a media playlist announces for its segments.
enum BitrateRules {
    static let all: [Check<MediaSubject>] = [bitrate]

    /// A rate that is told is true.
    static let bitrate = Check<MediaSubject>(
        Rule("bitrate-true", "B4.4.4.8", .must, "#EXT-X-BITRATE is within 10 % of what each of its segments has")
    ) { subject in
        let told = told(subject.document)
        return subject.entries.compactMap { segment, entry in
            guard segment.number < told.count, let said = told[segment.number], entry.byteRange == nil,
                entry.duration.seconds > 0, segment.failure == nil
            else { return nil }
            let found = Double(segment.size) * 8 / entry.duration.seconds / 1000
            // The rate is told in whole kbit/s.
            guard Double(said) + 0.5 < found * 0.9 || Double(said) - 0.5 > found * 1.1 else { return nil }
            let message = "it is \(said) kbit/s, the segment has \(Int64(reckoned: found))"
            return Violation(subject.place(segment), message)
        }
    }

    /// What is told for each segment.
    private static func told(_ document: PlaylistDocument) -> [Int?] {
        var open: Int?
        return document.lines.compactMap { line -> Int?? in
            if line.tag == "#EXT-X-BITRATE" { open = Int(line.value) }
            return line.isURI ? .some(open) : nil
        }
    }
}
