internal import SegueBase

/// Writes segments of subtitles: WebVTT whose times are set in relation to the other renditions' timestamps.
enum SubtitleWriter {
    /// Units a second of the timestamps that X-TIMESTAMP-MAP counts in (RFC 8216, 3.5).
    private static let clockRate: Int64 = 90000

    /// A segment: every cue of which any part lies in it, with its whole times.
    ///
    /// - Parameters:
    ///   - segment: The segment.
    ///   - cues: All cues, by when they appear.
    ///   - plan: The plan, whose offset is in the timestamps of all renditions.
    /// - Returns: The segment's bytes; where there are no cues, the header alone.
    static func segment(_ segment: PlannedSegment, cues: [Cue], plan: SegmentPlan) -> [UInt8] {
        let offset = plan.timestampOffset.rounded(scale: clockRate)
        var text = "WEBVTT\nX-TIMESTAMP-MAP=MPEGTS:\(offset),LOCAL:00:00:00.000\n"
        let isLast = segment.number == plan.segments.count - 1
        for cue in cues {
            guard cue.start < segment.end || isLast else { break }
            guard cue.end > segment.start else { continue }
            let start = cue.start.rounded(scale: 1000)
            let end = max(cue.end.rounded(scale: 1000), start + 1)
            text += "\n\(time(start)) --> \(time(end))\n\(cue.text)\n"
        }
        return Array(text.utf8)
    }

    private static func time(_ milliseconds: Int64) -> String {
        let seconds = milliseconds / 1000
        return "\(padded(seconds / 3600, 2)):\(padded(seconds / 60 % 60, 2)):\(padded(seconds % 60, 2))."
            + padded(milliseconds % 1000, 3)
    }

    private static func padded(_ number: Int64, _ digits: Int) -> String {
        let text = String(number)
        return String(repeating: "0", count: max(0, digits - text.count)) + text
    }
}
