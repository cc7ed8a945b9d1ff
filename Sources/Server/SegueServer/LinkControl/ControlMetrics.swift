internal import SegueBase
internal import SegueNetworkModel
internal import SegueProxy

/// The metrics of links in Prometheus' text format.
enum ControlMetrics {
    private static let limits = [0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.05, 0.25]

    static func text(_ links: [LinkStatus]) -> String {
        var text = ""
        func family(_ name: String, _ kind: String, _ help: String, _ samples: [(labels: String, value: String)]) {
            text += "# HELP segue_link_\(name) \(help)\n# TYPE segue_link_\(name) \(kind)\n"
            for sample in samples {
                let suffix = sample.labels.prefix { $0 != "{" }
                text += "segue_link_\(name)\(suffix)\(sample.labels.dropFirst(suffix.count)) \(sample.value)\n"
            }
        }
        func each(_ value: (LinkStatus) -> Int) -> [(String, String)] { links.map { (label($0), "\(value($0))") } }
        func both(_ value: (LinkStatus.Direction) -> String) -> [(String, String)] {
            links.flatMap { link in
                [(label(link, "down"), value(link.down)), (label(link, "up"), value(link.up))]
            }
        }
        family("connections", "gauge", "Open connections.", each { $0.connections.open })
        family("connections_total", "counter", "Accepted connections.", each { $0.connections.total })
        family("faulted_requests_total", "counter", "Requests with a fault.", each(\.faults))
        family("delivered_bytes_total", "counter", "Delivered bytes.", both { "\($0.delivered)" })
        family("packets_total", "counter", "Sent packets.", both { "\($0.counts.packets)" })
        family("lost_packets_total", "counter", "Randomly lost packets.", both { "\($0.counts.lost)" })
        family("dropped_packets_total", "counter", "Packets dropped at a full queue.", both { "\($0.counts.dropped)" })
        family("queued_packets", "gauge", "Packets in the queue.", both { "\($0.load.packets)" })
        family("queued_bytes", "gauge", "Bytes in the queue, including headers.", both { "\($0.load.bytes)" })
        family("queue_seconds", "gauge", "Current queuing delay.", both { "\($0.load.delay.seconds)" })
        family("delay_seconds", "gauge", "One-way delay without queuing.", both { "\($0.delay.seconds)" })
        family("lateness_seconds", "histogram", "Delay of deliveries beyond their schedule.", links.flatMap(lateness))
        return text
    }

    private static func lateness(_ link: LinkStatus) -> [(labels: String, value: String)] {
        let name = escaped(link.name)
        let buckets = limits.map { limit in
            ("_bucket{link=\"\(name)\",le=\"\(limit)\"}", "\(link.lateness.count(upTo: .seconds(limit)))")
        }
        return buckets + [
            ("_bucket{link=\"\(name)\",le=\"+Inf\"}", "\(link.lateness.total)"),
            ("_sum{link=\"\(name)\"}", "\(link.lateness.sum)"), ("_count{link=\"\(name)\"}", "\(link.lateness.total)"),
        ]
    }

    private static func label(_ link: LinkStatus, _ direction: String? = nil) -> String {
        let way = direction.map { ",direction=\"\($0)\"" } ?? ""
        return "{link=\"\(escaped(link.name))\",network=\"\(escaped(link.network.name))\"\(way)}"
    }

    private static func escaped(_ text: String) -> String {
        var escaped = ""
        for character in text {
            switch character {
            case "\\": escaped += "\\\\"
            case "\"": escaped += "\\\""
            case "\n": escaped += "\\n"
            default: escaped.append(character)
            }
        }
        return escaped
    }
}
