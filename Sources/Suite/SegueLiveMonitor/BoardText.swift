internal import Foundation
internal import SegueConformance

/// What a board shows.
extension StreamBoard {
    /// Figures in Prometheus' text format.
    package var metrics: String {
        let all = self.all
        var text = "# HELP segue_watch_streams Streams that are watched.\n# TYPE segue_watch_streams gauge\n"
        text += "segue_watch_streams \(all.count)\n"
        func family(_ name: String, _ kind: String, _ help: String, _ value: (WatchFigures) -> String?) {
            text += "# HELP segue_watch_\(name) \(help)\n# TYPE segue_watch_\(name) \(kind)\n"
            for entry in all {
                guard let value = value(entry.figures) else { continue }
                text += "segue_watch_\(name){stream=\"\(Self.label(entry.url))\"} \(value)\n"
            }
        }
        family("reloads_total", "counter", "Playlists that came.") { "\($0.reloads)" }
        family("failures_total", "counter", "Playlists that did not.") { "\($0.failures)" }
        family("reload_seconds", "gauge", "How long the last reload took that need not wait.") { "\($0.reloadSeconds)" }
        family("stale_seconds", "gauge", "How old the last news is.") { "\($0.staleSeconds)" }
        family("latency_seconds", "gauge", "How far the end is behind the clock.") { $0.latency.map { "\($0)" } }
        family("bytes_total", "counter", "Bytes of playlists.") { "\($0.bytes)" }
        family("segments_total", "counter", "Segments that were listed.") { "\($0.segments)" }
        family("stalls_total", "counter", "How often a player would have stood still.") { "\($0.stalls)" }
        family("stall_seconds_total", "counter", "For how long.") { "\($0.stallSeconds)" }
        let name = "segue_watch_findings_total"
        text += "# HELP \(name) How often a rule was broken.\n# TYPE \(name) counter\n"
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
