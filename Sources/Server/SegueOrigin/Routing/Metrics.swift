import SegueConcurrency
import SegueFFmpeg

/// The counters of the responder.
final class Metrics: Sendable {
    private struct State {
        var answers: [Int: Int] = [:]
        var bytes: Int64 = 0
        var inFlight = 0
        var ended = 0
    }

    private let state = Monitor(State())

    /// Counts a request as in flight.
    func begin() { state.withLock { $0.inFlight += 1 } }

    /// Counts a response.
    func end(_ response: OriginResponse) {
        state.withLock { state in
            state.inFlight -= 1
            state.ended += 1
            state.answers[response.status, default: 0] += 1
            state.bytes += response.body.length
        }
    }

    /// Takes a blocking reload out of flight; it begins again when it is repeated.
    func hold() { state.withLock { $0.inFlight -= 1 } }

    /// Blocks background work while requests are in flight; each completed request lets one caller continue.
    func waitForTurn(_ cancellation: Cancellation) {
        let ended = state.withLock { $0.ended }
        let registration = cancellation.whenCancelled { self.state.withLock { _ in } }
        defer { cancellation.forget(registration) }
        state.wait { $0.inFlight == 0 || $0.ended != ended || cancellation.isCancelled }
    }

    /// The metrics of the responder and its stores in Prometheus' text format.
    func text(openPresentations: Int, items: Int, knownItems: Int, segments: SegmentStore.Counts) -> String {
        let state = state.withLock { $0 }
        var figures = MetricsText()
        figures.add(
            "requests_total",
            as: .counter,
            help: "Responses by status.",
            by: "status",
            state.answers.sorted { $0.key < $1.key }.map { ("\($0.key)", $0.value) }
        )
        figures.add("response_body_bytes_total", as: .counter, help: "Bytes of response bodies.", state.bytes)
        figures.add("requests_in_flight", as: .gauge, help: "Requests in flight.", state.inFlight)
        figures.add("items", as: .gauge, help: "Items in the library.", items)
        figures.add("items_known", as: .gauge, help: "Scanned items.", knownItems)
        figures.add("presentations_open", as: .gauge, help: "Open presentations.", openPresentations)
        figures.add(
            "segments_made_total",
            as: .counter,
            help: "Segments, init segments, and images made.",
            segments.made
        )
        figures.add("segments_found_total", as: .counter, help: "Requests served from the cache.", segments.found)
        figures.add(
            "segments_found_on_disk_total",
            as: .counter,
            help: "Segments and init segments found in the disk cache.",
            segments.foundOnDisk
        )
        figures.add("segment_cache_bytes", as: .gauge, help: "Bytes of cached segments.", segments.heldBytes)
        figures.add(
            "sending_kept_bytes",
            as: .gauge,
            help: "Bytes of segments in memory only while they are being sent.",
            segments.sendingBytes
        )
        figures.add(
            "sending_spooled_bytes",
            as: .gauge,
            help: "Bytes of segments spooled to a file while they are being sent.",
            segments.spooledBytes
        )
        return figures.text
    }
}
