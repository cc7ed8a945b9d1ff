internal import SegueBase
internal import SeguePlaylists

/// Compares the marked ad breaks of one playlist with its discontinuities.
///
/// A marker alone demands nothing, since another system may replace that content. If the breaks of a stream are usually
/// replaced, one that is not is an ad that was lost.
struct AdBreakTrail: Sendable {
    /// Choice: two replaced breaks show that this stream has them.
    private static let leastReplaced = 2

    private var replaced = 0
    private var all = 0
    /// The first segment of a break whose next segment is not listed yet.
    private var open: Int?

    /// Handles new segments, of which some start a break; returns the breach of a break that is not replaced.
    mutating func take(_ added: Range<Int>, in playlist: MediaPlaylist, starts: Set<Int>) -> [Breach] {
        var breaches: [Breach] = []
        for number in added {
            let isCut = playlist.segment(number)?.startsDiscontinuity ?? false
            // A marker may stand in the middle of a segment.
            if let start = open {
                breaches += end(start, isReplaced: isCut)
                open = nil
            }
            guard starts.contains(number) else { continue }
            if isCut { breaches += end(number, isReplaced: true) } else { open = number }
        }
        return breaches
    }

    private mutating func end(_ number: Int, isReplaced: Bool) -> [Breach] {
        defer {
            all += 1
            if isReplaced { replaced += 1 }
        }
        guard !isReplaced, replaced >= Self.leastReplaced, replaced * 2 > all else { return [] }
        let message: Message =
            "the ad break has no #EXT-X-DISCONTINUITY at its start, \(replaced) of \(all) earlier breaks have one"
        return [Breach(SampleRules.adBreak, message, segment: number)]
    }

    /// The media sequence numbers of the segments at which a break starts: after `#EXT-X-CUE-OUT`, or at the start of a
    /// date range with `SCTE35-OUT`.
    ///
    /// - Parameters:
    ///   - bytes: The text of the playlist, or of its delta update.
    ///   - state: The playlist with the skipped segments.
    static func starts(in bytes: [UInt8], _ state: PlaylistState) -> Set<Int> {
        var numbers = Set(cues(in: bytes).map { state.playlist.nextSequence + $0 })
        for range in state.playlist.dateRanges where range.scte35Out != nil {
            guard let date = range.startDate.flatMap(ProgramDate.seconds) else { continue }
            let place = state.segments.indices.last { state.segments[$0].date.map { $0 <= date + 0.5 } ?? false }
            guard let place, let start = state.segments[place].date,
                date < start + state.playlist.segments[place].duration.seconds
            else { continue }
            numbers.insert(state.playlist.mediaSequence + place)
        }
        return numbers
    }

    /// The segments after `#EXT-X-CUE-OUT`, counted backwards from the end of the playlist: -1 is the last one.
    private static func cues(in bytes: [UInt8]) -> [Int] {
        let name = Array("#EXT-X-CUE-OUT".utf8)
        var (count, found, isMarked) = (0, [Int](), false)
        for line in bytes.split(whereSeparator: { $0 == 10 || $0 == 13 }) {
            if line.first == UInt8(ascii: "#") {
                let rest = line.starts(with: name) ? line.dropFirst(name.count).first : 0
                if rest == nil || rest == UInt8(ascii: ":") { isMarked = true }
            } else {
                if isMarked { found.append(count) }
                isMarked = false
                count += 1
            }
        }
        return found.map { $0 - count }
    }
}
