package import SegueBase
package import SegueFetch

/// Carries out requests over the network with libcurl, on a thread of its own.
///
/// HTTP errors are responses; only what yields no whole response fails. Connections are kept and reused, at most six
/// for each host and lane; further requests wait in line. ``RequestLog`` makes timeline events of what it delivers.
package final class LiveFetcher: Fetching, Sendable {
    private let lanes: CurlLanes

    /// A fetcher with connections of its own.
    ///
    /// - Parameters:
    ///   - recipient: Takes what happens.
    ///   - credentials: Who asks, by the host with its port as URLs have it.
    /// - Throws: ``FetchError`` when libcurl cannot be set up.
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

    /// Ends all requests without another event, closes all connections and waits for the threads to end.
    package func close() {
        lanes.stop()
        lanes.forEach { $0.join() }
    }
}
