internal import SegueBase
internal import SeguePlaylists

/// Compares the parts of a segment with their tags and with the segment.
struct PartComparison {
    private let parts: [PartialSegment]
    private let facts: [SegmentFacts]
    private var difference: Message?

    init(_ parts: [PartialSegment], _ facts: [SegmentFacts]) { (self.parts, self.facts) = (parts, facts) }

    /// Compares the samples with a segment that has other bytes.
    mutating func compare(with whole: SegmentFacts) {
        guard whole.failure == nil else { return }
        switch whole.layout {
        case .fragmentedMP4:
            if let part = facts.first(where: { $0.failure != nil || $0.layout != .fragmentedMP4 }) {
                difference = "part \(part.number) cannot be read: \(part.failure ?? "not fragmented MP4")"
                return
            }
            difference = differences(whole, whole.tracks.filter { $0.kind == .video || $0.kind == .audio })
        case .transportStream:
            // Only the first part may have the tables, and audio packets may contain other numbers of frames.
            guard facts.allSatisfy({ $0.layout == .transportStream }) else { return }
            difference = differences(whole, whole.tracks.filter { $0.kind == .video })
        default: return
        }
    }

    private func differences(_ whole: SegmentFacts, _ tracks: [TrackFacts]) -> Message? {
        for track in tracks {
            let own = facts.compactMap { part in part.tracks.first { $0.number == track.number } }
            let counts = own.map { $0.wholeSamples ?? $0.samples }
            guard let count = track.wholeSamples ?? track.samples, counts.allSatisfy({ $0 != nil }) else { continue }
            let sum = counts.reduce(0) { $0 + ($1 ?? 0) }
            if sum != count {
                return "the parts have \(sum) complete samples of track \(track.number), the segment has \(count)"
            }
            guard let start = track.decodeStart, let first = own.lazy.compactMap(\.decodeStart).first, first != start
            else { continue }
            let (partStart, segmentStart) = DisplayText.distinct(first.seconds, start.seconds, in: .seconds)
            return "track \(track.number) of the parts starts at \(partStart), of the segment at \(segmentStart)"
        }
        return nil
    }

    /// Returns the breaches of a segment.
    func breaches(of number: Int) -> [Breach] {
        if let difference { return [Breach(LowLatencyRules.partBytes, difference, segment: number)] }
        let keyframeCounts = facts.map(keyframes)
        for (part, count) in zip(facts, keyframeCounts) {
            // The sample flags may be wrong, so the first frame decides.
            guard count ?? 0 > 0, part.startsWithIDR == true, !parts[part.number].isIndependent else { continue }
            let message: Message = "part \(part.number) starts with a keyframe, but has no INDEPENDENT=YES"
            return [Breach(LowLatencyRules.partIndependent, message, segment: number)]
        }
        // Transport streams may have other random access points, and other streams may have no keyframes at all.
        guard facts.allSatisfy({ $0.layout == .fragmentedMP4 }), keyframeCounts.contains(where: { $0 ?? 0 > 0 }) else {
            return []
        }
        for (part, count) in zip(facts, keyframeCounts) {
            guard count == 0, part.startsWithIDR != true, parts[part.number].isIndependent else { continue }
            let message: Message = "part \(part.number) has INDEPENDENT=YES, but no keyframe"
            return [Breach(LowLatencyRules.partIndependent, message, segment: number)]
        }
        return []
    }

    /// Returns the number of keyframes of a part; nil if it is unknown or there is no video.
    private func keyframes(_ part: SegmentFacts) -> Int? {
        guard part.failure == nil, let track = part.tracks.first(where: { $0.kind == .video }),
            ["h264", "hevc"].contains(track.codec), !track.isEncrypted, track.samples ?? 0 > 0
        else { return nil }
        return track.keyframes?.count
    }
}
