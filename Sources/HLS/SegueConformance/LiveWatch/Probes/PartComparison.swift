internal import SegueBase
internal import SeguePlaylists

/// Holds what is in the parts of a segment against what is said of them, and against the segment.
struct PartComparison {
    private let parts: [PartialSegment]
    private let facts: [SegmentFacts]
    private var difference: String?

    /// The parts of one segment, and what is in each.
    init(_ parts: [PartialSegment], _ facts: [SegmentFacts]) { (self.parts, self.facts) = (parts, facts) }

    /// Compares them with a segment whose bytes are others: it may be put together otherwise, of the same samples.
    mutating func compare(with whole: SegmentFacts) {
        guard whole.failure == nil else { return }
        switch whole.layout {
        case .fragmentedMP4:
            if let part = facts.first(where: { $0.failure != nil || $0.layout != .fragmentedMP4 }) {
                difference = "part \(part.number) cannot be read: \(part.failure ?? "it is no fragmented MP4")"
                return
            }
            difference = differences(whole, whole.tracks.filter { $0.kind == .video || $0.kind == .audio })
        case .transportStream:
            // The tables may be in the first alone, and packets of sound may hold more or fewer frames.
            guard facts.allSatisfy({ $0.layout == .transportStream }) else { return }
            difference = differences(whole, whole.tracks.filter { $0.kind == .video })
        default: return
        }
    }

    private func differences(_ whole: SegmentFacts, _ tracks: [TrackFacts]) -> String? {
        for track in tracks {
            let own = facts.compactMap { part in part.tracks.first { $0.number == track.number } }
            let counts = own.map { $0.wholeSamples ?? $0.samples }
            guard let count = track.wholeSamples ?? track.samples, counts.allSatisfy({ $0 != nil }) else { continue }
            let sum = counts.reduce(0) { $0 + ($1 ?? 0) }
            if sum != count { return "its parts have \(sum) whole samples of track \(track.number), it has \(count)" }
            guard let start = track.decodeStart, let first = own.lazy.compactMap(\.decodeStart).first, first != start
            else { continue }
            let (of, wanted) = words(first.seconds, besides: start.seconds)
            return "its parts begin at \(of) of track \(track.number), it at \(wanted)"
        }
        return nil
    }

    /// What is broken.
    func breaches(of number: Int) -> [Breach] {
        if let difference { return [Breach(LiveRules.partBytes, difference, segment: number)] }
        let pictures = facts.map(keyframes)
        for (part, count) in zip(facts, pictures) {
            // What is said of samples may be wrong; the first picture itself tells.
            guard count ?? 0 > 0, part.startsWithIDR == true, !parts[part.number].isIndependent else { continue }
            let text = "part \(part.number) begins with a key frame, and has not INDEPENDENT=YES"
            return [Breach(LiveRules.partIndependent, text, segment: number)]
        }
        // What a transport stream has besides may be where decoding begins, too; what has no key frame at all, as well.
        guard facts.allSatisfy({ $0.layout == .fragmentedMP4 }), pictures.contains(where: { $0 ?? 0 > 0 }) else {
            return []
        }
        for (part, count) in zip(facts, pictures) {
            guard count == 0, part.startsWithIDR != true, parts[part.number].isIndependent else { continue }
            let text = "part \(part.number) has INDEPENDENT=YES, and no key frame"
            return [Breach(LiveRules.partIndependent, text, segment: number)]
        }
        return []
    }

    /// How many pictures of a part need none before them; nil where that is not known, or there are no pictures.
    private func keyframes(_ part: SegmentFacts) -> Int? {
        guard part.failure == nil, let track = part.tracks.first(where: { $0.kind == .video }),
            ["h264", "hevc"].contains(track.codec), !track.isEncrypted, track.samples ?? 0 > 0
        else { return nil }
        return track.keyframes?.count
    }
}
