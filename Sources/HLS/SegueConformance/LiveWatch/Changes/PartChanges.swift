internal import SegueBase
internal import SeguePlaylists

/// The checks of partial segments, within a version and against the previous one.
enum PartChanges {
    /// The tolerance for rounding in seconds.
    private static let tolerance = 0.1

    /// Checks the parts of a version, from a media sequence number.
    static func breaches(of playlist: MediaPlaylist, from first: Int) -> [Breach] {
        guard let target = playlist.partTarget?.seconds else { return [] }
        var found: [Breach] = []
        for (index, segment) in playlist.segments.enumerated() where !segment.parts.isEmpty {
            let number = playlist.firstListedSequence + index
            guard number >= first else { continue }
            found += lengths(segment.parts, isWhole: true, target: target, segment: number)
            found += ranges(segment.parts, number)
            let sum = segment.parts.reduce(0) { $0 + $1.duration.seconds }
            if abs(sum - segment.duration.seconds) > tolerance {
                let duration = segment.duration.seconds
                let comparison = Comparison(
                    "the parts add up to",
                    sum,
                    expected: .equal(duration),
                    unit: .seconds,
                    origin: "by #EXTINF"
                )
                found.append(Breach(LowLatencyRules.partSum, comparison, segment: number))
            }
        }
        return found + lengths(playlist.openParts, isWhole: false, target: target, segment: playlist.nextSequence)
    }

    private static func lengths(_ parts: [PartialSegment], isWhole: Bool, target: Double, segment number: Int)
        -> [Breach]
    {
        for (index, part) in parts.enumerated() {
            let seconds = part.duration.seconds
            if seconds > target + 0.001 {
                let comparison = Comparison(
                    "part \(index) lasts",
                    seconds,
                    expected: .atMost(target),
                    unit: .seconds,
                    origin: "by PART-TARGET"
                )
                return [Breach(LowLatencyRules.partLength, comparison, segment: number)]
            }
            let isLast = index == parts.count - 1
            let isBeforeGap = !isLast && parts[index + 1].isGap
            // The last part of an open segment may be its last one.
            guard !isLast, !isBeforeGap, !part.isGap, !part.isIndependent, seconds < 0.85 * target - 0.001 else {
                continue
            }
            let least = 0.85 * target
            let comparison = Comparison(
                "part \(index) lasts",
                seconds,
                expected: .atLeast(least),
                unit: .seconds,
                origin: "(85 % of PART-TARGET)"
            )
            return [Breach(LowLatencyRules.partLength, comparison, segment: number)]
        }
        return []
    }

    /// Checks parts of one resource for overlaps.
    private static func ranges(_ parts: [PartialSegment], _ number: Int) -> [Breach] {
        let ranges = parts.indices.compactMap { index in
            parts[index].byteRange.map { (index: index, uri: parts[index].uri, range: $0) }
        }.sorted { ($0.uri, $0.range.offset) < ($1.uri, $1.range.offset) }
        for (one, two) in zip(ranges, ranges.dropFirst()) {
            guard one.uri == two.uri, two.range.offset - one.range.offset < one.range.length else { continue }
            let pair = [one.index, two.index].sorted()
            let message: Message = "the byte ranges of parts \(pair[0]) and \(pair[1]) in \(value: one.uri) overlap"
            return [Breach(LowLatencyRules.partRanges, message, segment: number)]
        }
        return []
    }

    /// Returns a breach for the newest segment whose parts are listed for too long.
    static func old(_ playlist: MediaPlaylist) -> [Breach] {
        var behind = playlist.openParts.reduce(0) { $0 + $1.duration.seconds }
        for (index, segment) in playlist.segments.enumerated().reversed() {
            // The tolerance is the segment itself and the time until the next version.
            if behind > 4 * playlist.target, !segment.parts.isEmpty {
                let number = playlist.firstListedSequence + index
                let comparison = Comparison(
                    "a segment with parts ends before the end by",
                    behind,
                    expected: .atMost(3 * playlist.target),
                    unit: .seconds,
                    origin: "(3 target durations)"
                )
                return [Breach(LowLatencyRules.partsOld, comparison, segment: number)]
            }
            behind += segment.duration.seconds
        }
        return []
    }

    /// Compares the parts of two versions.
    static func breaches(from former: MediaPlaylist, to next: MediaPlaylist) -> [Breach] {
        guard former.partTarget != nil, next.partTarget != nil else { return [] }
        var found: [Breach] = []
        let first = max(former.mediaSequence, next.firstListedSequence)
        for number in stride(from: first, through: min(former.nextSequence, next.nextSequence), by: 1) {
            let old = parts(of: number, former)
            guard !old.isEmpty else { continue }
            let new = parts(of: number, next)
            if new.isEmpty {
                guard number < next.nextSequence else {
                    found.append(Breach(LowLatencyRules.partChanged, "the parts are no longer listed", segment: number))
                    continue
                }
                let distance = distance(of: number, next)
                guard distance < 3 * next.target - tolerance, !next.hasEndList else { continue }
                let comparison = Comparison(
                    "a segment without its parts ends before the end by",
                    distance,
                    expected: .atLeast(3 * next.target),
                    unit: .seconds,
                    origin: "(3 target durations)"
                )
                found.append(Breach(LowLatencyRules.partsRemoved, comparison, segment: number))
            } else if new.count < old.count {
                let message: Message = "\(old.count - new.count) of the parts are no longer listed"
                found.append(Breach(LowLatencyRules.partChanged, message, segment: number))
            } else if let index = old.indices.first(where: { old[$0] != new[$0] }) {
                found.append(Breach(LowLatencyRules.partChanged, "part \(index) changes", segment: number))
            }
        }
        return found + hint(former, next)
    }

    /// Returns the parts of a complete or open segment by its media sequence number.
    static func parts(of number: Int, _ playlist: MediaPlaylist) -> [PartialSegment] {
        let index = number - playlist.firstListedSequence
        if playlist.segments.indices.contains(index) { return playlist.segments[index].parts }
        return index == playlist.segments.count ? playlist.openParts : []
    }

    /// Returns the time from the end of a segment to the end of the playlist in seconds.
    private static func distance(of number: Int, _ playlist: MediaPlaylist) -> Double {
        let later = playlist.segments.dropFirst(number - playlist.firstListedSequence + 1)
        return later.reduce(0) { $0 + $1.duration.seconds } + playlist.openParts.reduce(0) { $0 + $1.duration.seconds }
    }

    /// Compares the first new part with the preload hint.
    private static func hint(_ former: MediaPlaylist, _ next: MediaPlaylist) -> [Breach] {
        guard let hint = former.preloadHints.first(where: { $0.kind == .part }) else { return [] }
        var (number, index) = (former.nextSequence, former.openParts.count)
        if number < next.nextSequence, parts(of: number, next).count <= index {
            // The hint was for the next segment. The parts of a segment without listed parts are unknown.
            guard !parts(of: number, next).isEmpty else { return [] }
            (number, index) = (number + 1, 0)
        }
        let came = parts(of: number, next)
        guard came.indices.contains(index) else { return [] }
        let startsAnew =
            number == next.nextSequence
            ? next.open?.startsDiscontinuity ?? false
            : next.segments[number - next.firstListedSequence].startsDiscontinuity
        // An inserted segment may replace the hinted part.
        if startsAnew, index == 0 { return [] }
        let part = came[index]
        guard part.uri != hint.uri || (part.byteRange?.offset ?? 0) != hint.byteRangeStart else { return [] }
        return [
            Breach(
                LowLatencyRules.hint,
                "part \(index) is \(value: part.uri), the hint was \(value: hint.uri)",
                segment: number
            )
        ]
    }
}
