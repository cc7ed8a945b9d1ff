internal import SegueConformance
internal import SegueFetch
internal import SegueOrigin

/// The text forms of a board.
extension StreamBoard {
    /// Figures in Prometheus' text format.
    package var metrics: String {
        let all = self.all
        var metrics = MetricsText()
        metrics.add("watch_streams", as: .gauge, help: "Watched streams.", all.count)
        func add<Value>(_ name: String, as kind: MetricsText.Kind, help: String, value: (WatchFigures) -> Value?) {
            let samples = all.compactMap { entry in
                value(entry.figures).map { (labels: [(name: "stream", value: entry.url)], value: "\($0)") }
            }
            metrics.add("watch_\(name)", as: kind, help: help, samples)
        }
        add("reloads_total", as: .counter, help: "Successful playlist loads.") { $0.reloads }
        add("failures_total", as: .counter, help: "Failed playlist loads.") { $0.failures }
        add("reload_seconds", as: .gauge, help: "The duration of the last non-blocking reload.") { $0.reloadSeconds }
        add("stale_seconds", as: .gauge, help: "The age of the last change.") { $0.staleSeconds }
        add("latency_seconds", as: .gauge, help: "The delay of the end behind the clock.") { $0.latency }
        add("bytes_total", as: .counter, help: "Bytes of playlists.") { $0.bytes }
        add("segments_total", as: .counter, help: "Listed segments.") { $0.segments }
        add("stalls_total", as: .counter, help: "Stalls of a player.") { $0.stalls }
        add("stall_seconds_total", as: .counter, help: "The duration of stalls.") { $0.stallSeconds }
        add("media_segments_total", as: .counter, help: "Loaded and inspected segments.") { $0.samples }
        add("media_broken_total", as: .counter, help: "Inspected segments that must be fixed.") { $0.brokenSamples }
        add("media_bytes_total", as: .counter, help: "Bytes of loaded segments.") { $0.mediaBytes }
        add("kept_requests_total", as: .counter, help: "Requests on kept connections.") { $0.connection.kept }
        add("lost_requests_total", as: .counter, help: "Requests that kept connections lost.") { $0.connection.lost }
        let broken = all.flatMap { entry in
            entry.broken.sorted().map { rule in
                (labels: [(name: "stream", value: entry.url), (name: "rule", value: rule)], value: "1")
            }
        }
        metrics.add("watch_broken", as: .gauge, help: "Rules that are broken at the moment.", broken)
        let findings = all.flatMap { entry in
            entry.counts.sorted { $0.key < $1.key }.map { rule, count in
                (labels: [(name: "stream", value: entry.url), (name: "rule", value: rule)], value: "\(count)")
            }
        }
        metrics.add("watch_findings_total", as: .counter, help: "Findings by rule.", findings)
        return metrics.text
    }
}
