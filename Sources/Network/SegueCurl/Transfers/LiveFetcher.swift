package import SegueBase
package import SegueFetch

/// A fetcher over the real network, based on libcurl on its own thread.
///
/// HTTP errors are responses; only an incomplete response is a failure. Connections are kept and reused, at most six
/// per host and lane; further requests are queued. ``RequestLog`` converts the events for the timeline.
package final class LiveFetcher: Fetching, Sendable {
    private let lanes: CurlLanes

    /// Creates a fetcher with its own connections.
    ///
    /// - Parameters:
    ///   - recipient: The receiver of events.
    ///   - credentials: The credentials by host and port.
    /// - Throws: ``FetchError`` if libcurl cannot be initialized.
    package init(
        _ recipient: FetchRecipient,
        credentials: [String: FetchCredential] = [:]
    ) throws(FetchError) {
        lanes = try CurlLanes(recipient, credentials: credentials)
    }

    package func start(_ request: FetchRequest, at now: Instant) { lanes.start(request) }

    package func cancel(_ id: FetchID, at now: Instant) { lanes.forEach { $0.cancel(id) } }

    package func read(_ id: FetchID, at now: Instant) { lanes.forEach { $0.hold(id, false) } }

    package func stopReading(_ id: FetchID, at now: Instant) { lanes.forEach { $0.hold(id, true) } }

    /// Ends all requests without further events, closes all connections, and waits for the threads.
    package func close() {
        lanes.stop()
        lanes.forEach { $0.join() }
    }
}
