internal import Foundation
internal import SegueBase
package import SegueCharts

/// The measurements of a playback: the metrics of a case, the playback quality, and each switch.
package struct PlayReport: Sendable {
    package var metrics: CaseMetrics
    package var quality: PlaybackQuality
    /// The switches in their order.
    package var switches: [SwitchReport]

    package init(metrics: CaseMetrics, quality: PlaybackQuality, switches: [SwitchReport]) {
        self.metrics = metrics
        self.quality = quality
        self.switches = switches
    }
}

extension PlayReport: Encodable {
    private enum Key: String, CodingKey { case quality, switches }

    /// Encodes the keys of the metrics and the others side by side.
    package func encode(to encoder: any Encoder) throws {
        try metrics.encode(to: encoder)
        var fields = encoder.container(keyedBy: Key.self)
        try fields.encode(quality, forKey: .quality)
        try fields.encode(switches, forKey: .switches)
    }
}

extension PlayReport {
    package var lines: [String] {
        var lines = [metrics.words]
        if let throughput = quality.throughput {
            let rates = [throughput.mean, throughput.least, throughput.greatest].map { Int(($0 / 1000).rounded()) }
            lines.append(
                "loaded \(text(quality.downloaded)) s of media, \(text(quality.wasted)) s of it never played; segments arrived"
                    + " at \(rates[0]) kbit/s (\(rates[1]) to \(rates[2])), \(quality.overdueSegments) of them overdue"
            )
        }
        if let ratio = quality.rebufferRatio, !quality.stalls.isEmpty {
            lines.append(
                "stalled for \(text(ratio * 100)) % of the time played or stalled, \(text(quality.longestStall)) s the longest"
            )
        }
        for seek in quality.seeks {
            lines.append(
                "seek to \(text(seek.target)) s: landed at \(text(seek.landed)) s after \(text(seek.seconds)) s"
            )
        }
        lines += switches.map(\.line)
        return lines
    }

    private func text(_ value: Double) -> String { SwitchReport.text(value) }
}

extension SwitchReport {
    /// The switch in one line.
    fileprivate var line: String {
        var parts = ["\(SwitchReport.text(gap)) s of silence"]
        if let missingSamples, let repeatedSamples {
            parts.append("\(missingSamples) samples missing, \(repeatedSamples) repeated")
        }
        if let positionError, abs(positionError) > 0.0005 {
            parts.append("audio \(SwitchReport.text(positionError * 1000)) ms behind the playhead")
        }
        if let loudnessChange {
            parts.append("\(loudnessChange < 0 ? "" : "+")\(SwitchReport.text(loudnessChange)) LU")
        }
        let names = from == to ? "\(from), \(change)" : "\(from) to \(to)"
        return "switch at \(SwitchReport.text(at)) s (\(names)): \(parts.joined(separator: ", "))"
    }

    fileprivate static func text(_ value: Double) -> String {
        DecimalText.short(value, places: 3)
    }
}
