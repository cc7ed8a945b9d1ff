internal import SegueBase
internal import SeguePlaylists

/// What a playlist's parts break, alone and beside the version before it.
enum PartChanges {
    /// What rounding takes and gives.
    private static let tolerance = 0.1

    /// What one version breaks.
    ///
    /// - Parameters:
    ///   - playlist: The version.
    ///   - first: The media sequence number of the first segment that is looked at.
    /// - Returns: What is broken.
    static func breaches(of playlist: MediaPlaylist, from first: Int) -> [Breach] {
        guard let target = playlist.partTarget?.seconds else { return [] }
        var found: [Breach] = []
        for (index, segment) in playlist.segments.enumerated() where !segment.parts.isEmpty {
            let number = playlist.firstListedSequence + index
            guard number >= first else { continue }
            found += lengths(segment.parts, isWhole: true, target, number)
            found += ranges(segment.parts, number)
            let sum = segment.parts.reduce(0) { $0 + $1.duration.seconds }
            if abs(sum - segment.duration.seconds) > tolerance {
                let (parts, whole) = words(sum, besides: segment.duration.seconds)
                let text = "its parts last \(parts), it lasts \(whole)"
                found.append(Breach(LiveRules.partSum, text, segment: number))
            }
        }
        return found + lengths(playlist.openParts, isWhole: false, target, playlist.nextSequence)
    }

    private static func lengths(_ parts: [PartialSegment], isWhole: Bool, _ target: Double, _ number: Int) -> [Breach] {
        for (index, part) in parts.enumerated() {
            let seconds = part.duration.seconds
            if seconds > target + 0.001 {
                let (length, most) = words(seconds, besides: target)
                let text = "part \(index) lasts \(length), the part target is \(most)"
                return [Breach(LiveRules.partLength, text, segment: number)]
            }
            let isLast = index == parts.count - 1
            let isBeforeGap = !isLast && parts[index + 1].isGap
            // The last one of an open segment may be that of the whole.
            guard !isLast, !isBeforeGap, !part.isGap, !part.isIndependent, seconds < 0.85 * target - 0.001 else {
                continue
            }
            let (length, most) = words(seconds, besides: target)
            let text = "part \(index) lasts \(length) of the part target of \(most)"
            return [Breach(LiveRules.partLength, text, segment: number)]
        }
        return []
    }

    /// Whether parts of one file lie on one another.
    private static func ranges(_ parts: [PartialSegment], _ number: Int) -> [Breach] {
        let ranges = parts.indices.compactMap { index in
            parts[index].byteRange.map { (index: index, uri: parts[index].uri, range: $0) }
        }.sorted { ($0.uri, $0.range.offset) < ($1.uri, $1.range.offset) }
        for (one, two) in zip(ranges, ranges.dropFirst()) {
            guard one.uri == two.uri, two.range.offset - one.range.offset < one.range.length else { continue }
            let pair = [one.index, two.index].sorted()
            let text = "parts \(pair[0]) and \(pair[1]) have bytes of \(one.uri) in common"
            return [Breach(LiveRules.partRanges, text, segment: number)]
        }
        return []
    }

    /// Segments whose parts are listed for too long: those of the oldest alone.
    static func old(_ playlist: MediaPlaylist) -> [Breach] {
        var behind = playlist.openParts.reduce(0) { $0 + $1.duration.seconds }
        for (index, segment) in playlist.segments.enumerated().reversed() {
            // The whole of it, and the time until the next version, are granted.
            if behind > 4 * playlist.target, !segment.parts.isEmpty {
                let number = playlist.firstListedSequence + index
                let text = "its parts are listed, and it ends \(words(behind)) from the end"
                return [Breach(LiveRules.partsOld, text, segment: number)]
            }
            behind += segment.duration.seconds
        }
        return []
    }

    /// What the change from one version to the next breaks.
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
                    found.append(Breach(LiveRules.partChanged, "its parts are listed no longer", segment: number))
                    continue
                }
                let distance = distance(of: number, next)
                guard distance < 3 * next.target - tolerance, !next.hasEndList else { continue }
                let text = "its parts are listed no longer, and it ends \(words(distance)) from the end"
                found.append(Breach(LiveRules.partsRemoved, text, segment: number))
            } else if new.count < old.count {
                let text = "\(old.count - new.count) of its parts are listed no longer"
                found.append(Breach(LiveRules.partChanged, text, segment: number))
            } else if let index = old.indices.first(where: { old[$0] != new[$0] }) {
                found.append(Breach(LiveRules.partChanged, "part \(index) is not what it was", segment: number))
            }
        }
        return found + hint(former, next)
    }

    /// The parts of a segment, whole or not, by its media sequence number.
    static func parts(of number: Int, _ playlist: MediaPlaylist) -> [PartialSegment] {
        let index = number - playlist.firstListedSequence
        if playlist.segments.indices.contains(index) { return playlist.segments[index].parts }
        return index == playlist.segments.count ? playlist.openParts : []
    }

    /// From the end of a segment to the end of the playlist, in seconds.
    private static func distance(of number: Int, _ playlist: MediaPlaylist) -> Double {
        let later = playlist.segments.dropFirst(number - playlist.firstListedSequence + 1)
        return later.reduce(0) { $0 + $1.duration.seconds } + playlist.openParts.reduce(0) { $0 + $1.duration.seconds }
    }

    /// Whether the part that came first is the one that was hinted.
    private static func hint(_ former: MediaPlaylist, _ next: MediaPlaylist) -> [Breach] {
        guard let hint = former.preloadHints.first(where: { $0.kind == .part }) else { return [] }
        var (number, index) = (former.nextSequence, former.openParts.count)
        if number < next.nextSequence, parts(of: number, next).count <= index {
            // It was the last part of its segment; what a segment of which no parts are listed had, nobody knows.
            guard !parts(of: number, next).isEmpty else { return [] }
            (number, index) = (number + 1, 0)
        }
        let came = parts(of: number, next)
        guard came.indices.contains(index) else { return [] }
        let startsAnew =
            number == next.nextSequence
            ? next.open?.startsDiscontinuity ?? false
            : next.segments[number - next.firstListedSequence].startsDiscontinuity
        // What was hinted may be given up for what is put in.
        if startsAnew, index == 0 { return [] }
        let part = came[index]
        guard part.uri != hint.uri || (part.byteRange?.offset ?? 0) != hint.byteRangeStart else { return [] }
        return [Breach(LiveRules.hint, "part \(index) is \(part.uri), and \(hint.uri) was hinted", segment: number)]
    }
}
