/// A segment that has the content of another one of its playlist.
struct MisplacedSegment: Equatable {
    /// The index in the playlist.
    let number: Int
    /// The index of the segment whose content it has.
    let content: Int

    /// The number of segments after a misplaced one in which its consequences may be found.
    private static let reach = 2

    /// Finds the segments whose frames show another segment's part of the source, unlike those of most others.
    ///
    /// - Parameters:
    ///   - matches: The delivered frames with the source frames that they show.
    ///   - sourceTimes: The times of the source's frames.
    ///   - starts: The start of each segment in the playlist.
    static func all(_ matches: [FrameMatch], sourceTimes: [Double], starts: [Double]) -> [MisplacedSegment] {
        var shifts: [Int: [Double]] = [:]
        var firsts: [Int: Double] = [:]
        for match in matches { firsts[match.segment] = min(firsts[match.segment] ?? .infinity, match.time) }
        for match in matches where match.isSure {
            guard sourceTimes.indices.contains(match.source), starts.indices.contains(match.segment) else { continue }
            let place = starts[match.segment] + match.time - (firsts[match.segment] ?? match.time)
            shifts[match.segment, default: []].append(sourceTimes[match.source] - place)
        }
        let each = shifts.mapValues(median)
        guard each.count >= 3 else { return [] }
        let usual = median(Array(each.values))
        return each.sorted { $0.key < $1.key }.compactMap { number, shift in
            let length = number + 1 < starts.count ? starts[number + 1] - starts[number] : 0
            let position = starts[number] + shift - usual
            // After a missing or repeated segment, all others are moved.
            let isAlone = [number - 1, number + 1].allSatisfy { beside in
                beside < 0 || each[beside].map { abs($0 - usual) < length / 4 } == true
            }
            guard length > 0, isAlone, abs(shift - usual) > length * 0.75,
                let content = starts.lastIndex(where: { $0 <= position + length / 4 }), content != number,
                abs(starts[content] - position) < length / 2
            else { return nil }
            return MisplacedSegment(number: number, content: content)
        }
    }

    private static func median(_ values: [Double]) -> Double { values.sorted()[values.count / 2] }

    /// True if an edit in a segment is a consequence.
    func explains(_ edit: VideoReading.Edit, in segment: Int) -> Bool {
        switch edit.kind {
        case .missing, .repeated, .reordered, .exchanged: (number...number + Self.reach).contains(segment)
        default: false
        }
    }
}
