package import Fetch
package import Timeline

/// Carries out requests over the network with libcurl, on a thread of its own.
///
/// HTTP errors are responses; only what yields no whole response fails. Connections are kept and reused, at most six
/// for each host; further requests wait in line. ``RequestLog`` makes timeline events of what it delivers.
package final class LiveFetcher: Fetching, Sendable {
    private let engine: CurlEngine

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
        engine = try CurlEngine(recipient, credentials: credentials)
        engine.run()
    }

    deinit { engine.stop() }

    package func start(_ request: FetchRequest, at now: Instant) { engine.start(request) }

    package func cancel(_ id: FetchID, at now: Instant) { engine.cancel(id) }

    /// Ends all requests without another event, closes all connections and waits for the thread to end.
    package func close() {
        engine.stop()
        engine.join()
    }
}
