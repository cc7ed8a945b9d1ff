internal import SegueBase

/// A writer of WebVTT segments with timestamps mapped to those of other renditions.
enum SubtitleWriter {
    /// The unit of X-TIMESTAMP-MAP (RFC 8216, 3.5), per second.
    private static let clockRate: Int64 = 90000

    /// Writes the styles, and every cue that overlaps a segment, with its complete times.
    static func segment(_ segment: PlannedSegment, of sheet: CueSheet, plan: SegmentPlan) -> [UInt8] {
        let offset = plan.timestampOffset.rounded(scale: clockRate)
        var text = "WEBVTT\nX-TIMESTAMP-MAP=MPEGTS:\(offset),LOCAL:00:00:00.000\n"
        let isLast = segment.number == plan.segments.count - 1
        for block in sheet.blocks { text += "\n\(block)\n" }
        for cue in sheet.cues {
            guard cue.start < segment.end || isLast else { break }
            guard cue.end > segment.start else { continue }
            let start = cue.start.rounded(scale: 1000)
            let end = max(cue.end.rounded(scale: 1000), start + 1)
            let settings = cue.settings.isEmpty ? "" : " \(cue.settings)"
            text += "\n\(time(start)) --> \(time(end))\(settings)\n\(cue.text)\n"
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
