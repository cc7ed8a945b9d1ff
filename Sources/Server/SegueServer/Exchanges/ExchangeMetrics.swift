import SegueBase
import SegueOrigin
import Synchronization

/// Metrics of requests by route.
final class ExchangeMetrics: Sendable {
    /// The upper bounds of the histogram's buckets in milliseconds.
    static let classes = [5, 10, 25, 50, 100, 250, 500, 1000, 2500, 5000, 10_000, 30_000, 60_000, 300_000]

    private struct Route {
        /// The counts by status; status 0 means that the client disconnected before a response began.
        var statuses: [Int: Int] = [:]
        var counts = [Int](repeating: 0, count: ExchangeMetrics.classes.count + 1)
        var time = Duration.zero
        var bytes: Int64 = 0
        var left = 0
    }

    private let routes = Mutex<[String: Route]>([:])

    init() {}

    func add(_ exchange: Exchange) {
        let name = RouteName(target: exchange.target)?.rawValue ?? "none"
        let millis = exchange.duration.wholeNanoseconds / 1_000_000
        let place = Self.classes.firstIndex { millis < $0 } ?? Self.classes.count
        routes.withLock { routes in
            var route = routes[name] ?? Route()
            route.statuses[exchange.status ?? 0, default: 0] += 1
            route.counts[place] += 1
            route.time += exchange.duration
            route.bytes += exchange.bytes
            if exchange.leftEarly { route.left += 1 }
            routes[name] = route
        }
    }

    func add(to figures: inout MetricsText) {
        let routes = routes.withLock { $0 }.sorted { $0.key < $1.key }
        figures.add(
            "http_requests_total",
            as: .counter,
            help: "Completed requests by route and status; status 0 if the client disconnected before the response.",
            routes.flatMap { name, route in
                route.statuses.sorted { $0.key < $1.key }.map { status, count in
                    ([("route", name), ("status", "\(status)")], "\(count)")
                }
            }
        )
        figures.add(
            "http_response_bytes_total",
            as: .counter,
            help: "Sent bytes of response bodies.",
            routes.map { ([("route", $0.key)], "\($0.value.bytes)") }
        )
        figures.add(
            "http_left_early_total",
            as: .counter,
            help: "Requests whose client disconnected before the end of the response.",
            routes.map { ([("route", $0.key)], "\($0.value.left)") }
        )
        figures.add(
            histogram: "http_request_seconds",
            "Time from the head of a request to the end of its response.",
            by: "route",
            classes: Self.classes.map { DecimalText.short(units: Int64($0), places: 3) },
            routes.map { name, route in
                (name, route.counts, DecimalText.fixed(units: route.time.wholeNanoseconds / 1000, places: 6))
            }
        )
    }
}
