internal import Foundation
internal import SegueConformance

/// The text forms of a board.
extension StreamBoard {
    /// Figures in Prometheus' text format.
    package var metrics: String {
        let all = self.all
        var text = "# HELP segue_watch_streams Watched streams.\n# TYPE segue_watch_streams gauge\n"
        text += "segue_watch_streams \(all.count)\n"
        func family(_ name: String, _ kind: String, _ help: String, _ value: (WatchFigures) -> String?) {
            text += "# HELP segue_watch_\(name) \(help)\n# TYPE segue_watch_\(name) \(kind)\n"
            for entry in all {
                guard let value = value(entry.figures) else { continue }
                text += "segue_watch_\(name){stream=\"\(Self.label(entry.url))\"} \(value)\n"
            }
        }
        family("reloads_total", "counter", "Successful playlist loads.") { "\($0.reloads)" }
        family("failures_total", "counter", "Failed playlist loads.") { "\($0.failures)" }
        family("reload_seconds", "gauge", "The duration of the last non-blocking reload.") { "\($0.reloadSeconds)" }
        family("stale_seconds", "gauge", "The age of the last change.") { "\($0.staleSeconds)" }
        family("latency_seconds", "gauge", "The delay of the end behind the clock.") { $0.latency.map { "\($0)" } }
        family("bytes_total", "counter", "Bytes of playlists.") { "\($0.bytes)" }
        family("segments_total", "counter", "Listed segments.") { "\($0.segments)" }
        family("stalls_total", "counter", "Stalls of a player.") { "\($0.stalls)" }
        family("stall_seconds_total", "counter", "The duration of stalls.") { "\($0.stallSeconds)" }
        let name = "segue_watch_findings_total"
        text += "# HELP \(name) Findings by rule.\n# TYPE \(name) counter\n"
        for entry in all {
            for (rule, count) in entry.counts.sorted(by: { $0.key < $1.key }) {
                text += "\(name){stream=\"\(Self.label(entry.url))\",rule=\"\(rule)\"} \(count)\n"
            }
        }
        return text
    }

    private static func label(_ text: String) -> String {
        text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"").replacing("\n", with: "\\n")
    }
}
