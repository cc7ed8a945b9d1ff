internal import SegueBase

/// Compares the coding of the samples of one playlist between discontinuities.
struct CodingTrail: Sendable {
    /// The coding of a sample.
    struct Entry: Sendable {
        /// The media sequence number.
        let number: Int
        /// The discontinuity sequence number.
        let discontinuity: Int
        let segment: SegmentFacts
        /// The codecs of the initialization section, as in `CODECS`, by track ID.
        let stated: [Int: String]

        init(number: Int, discontinuity: Int, _ subject: MediaSubject, _ segment: SegmentFacts) {
            (self.number, self.discontinuity) = (number, discontinuity)
            // The codecs suffice.
            var facts = SegmentFacts(number: number, url: "", size: 0, layout: segment.layout)
            facts.tracks = segment.tracks.map { track in
                var kept = TrackFacts(number: track.number, kind: track.kind, codec: track.codec)
                kept.coding = track.coding
                return kept
            }
            self.segment = facts
            let tracks = subject.initializations.flatMap(\.tracks)
            stated = Dictionary(tracks.compactMap { track in track.parameters.map { (track.number, $0) } }) { one, _ in
                one
            }
        }
    }

    private var last: Entry?

    /// Handles a sample; returns the changes since the last one without a discontinuity between them.
    mutating func take(_ entry: Entry) -> [Breach] {
        defer { last = entry }
        guard let last, last.number < entry.number, last.discontinuity == entry.discontinuity,
            last.segment.layout == entry.segment.layout
        else { return [] }
        let since: Message = "without #EXT-X-DISCONTINUITY since segment \(last.number), "
        if let change = SegmentRules.codecChange(from: last.segment, to: entry.segment) {
            return [Breach(SegmentRules.discontinuity.rule, since + change, segment: entry.number)]
        }
        let stated = last.stated.keys.sorted().lazy.compactMap { number -> Message? in
            let (before, after) = (last.stated[number], entry.stated[number])
            guard let before, let after, before != after else { return nil }
            return "the codec changes from \(before) to \(after)"
        }.first
        guard let change = SegmentRules.codingChange(from: last.segment, to: entry.segment) ?? stated else { return [] }
        return [Breach(SegmentRules.codingContinues.rule, since + change, segment: entry.number)]
    }

    /// Forgets the last sample, as after a restart of the playlist.
    mutating func forget() { last = nil }
}
