internal import SegueBase
internal import SegueNetworkModel
internal import SegueOrigin
internal import SegueProxy

/// The metrics of links in Prometheus' text format.
enum ControlMetrics {
    private static let limits = [0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.05, 0.25]

    static func text(_ links: [LinkStatus]) -> String {
        var metrics = MetricsText()
        func each(_ name: String, as kind: MetricsText.Kind, help: String, _ value: (LinkStatus) -> Int) {
            metrics.add("link_\(name)", as: kind, help: help, links.map { (labels($0), "\(value($0))") })
        }
        func both(
            _ name: String,
            as kind: MetricsText.Kind,
            help: String,
            value: (LinkStatus.Direction) -> any CustomStringConvertible
        ) {
            let samples = links.flatMap { link in
                [("down", link.down), ("up", link.up)].map { way, direction in
                    (labels: labels(link) + [(name: "direction", value: way)], value: "\(value(direction))")
                }
            }
            metrics.add("link_\(name)", as: kind, help: help, samples)
        }
        each("connections", as: .gauge, help: "Open connections.") { $0.connections.open }
        each("connections_total", as: .counter, help: "Accepted connections.") { $0.connections.total }
        each("faulted_requests_total", as: .counter, help: "Requests with a fault.") { $0.faults }
        both("delivered_bytes_total", as: .counter, help: "Delivered bytes.") { $0.delivered }
        both("packets_total", as: .counter, help: "Sent packets.") { $0.counts.packets }
        both("lost_packets_total", as: .counter, help: "Randomly lost packets.") { $0.counts.lost }
        both("dropped_packets_total", as: .counter, help: "Packets dropped at a full queue.") { $0.counts.dropped }
        both("queued_packets", as: .gauge, help: "Packets in the queue.") { $0.load.packets }
        both("queued_bytes", as: .gauge, help: "Bytes in the queue, including headers.") { $0.load.bytes }
        both("queue_seconds", as: .gauge, help: "Current queuing delay.") { $0.load.delay.seconds }
        both("delay_seconds", as: .gauge, help: "One-way delay without queuing.") { $0.delay.seconds }
        metrics.add(
            histogram: "link_lateness_seconds",
            "Delay of deliveries beyond their schedule.",
            by: "link",
            classes: limits.map { "\($0)" },
            links.map { ($0.name, counts($0), "\($0.lateness.sum)") }
        )
        return metrics.text
    }

    /// The number of deliveries in each class, and beyond the last.
    private static func counts(_ link: LinkStatus) -> [Int] {
        let upTo = limits.map { link.lateness.count(upTo: .seconds($0)) } + [link.lateness.total]
        return zip(upTo, [0] + upTo).map { $0 - $1 }
    }

    private static func labels(_ link: LinkStatus) -> [(name: String, value: String)] {
        [("link", link.name), ("network", link.network.name)]
    }
}
