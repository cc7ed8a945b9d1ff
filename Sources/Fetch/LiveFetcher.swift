package import Timeline

/// Carries out requests over the network with libcurl, on a thread of its own.
///
/// HTTP errors are responses; only what yields no whole response fails. Connections are kept and reused, at most six
/// for each host; further requests wait in line. ``RequestLog`` makes timeline events of what it delivers.
package final class LiveFetcher: Fetching {
    private let engine: CurlEngine

    /// A fetcher that leaves what happens in a run's mailbox.
    ///
    /// - Parameters:
    ///   - mailbox: The mailbox of the run's loop, which is told to expect mail while requests are open.
    ///   - credentials: Who asks, by the host with its port as URLs have it.
    ///   - wrap: Makes a payload of the loop from an event.
    /// - Throws: ``FetchError`` when libcurl cannot be set up.
    package convenience init<Payload: Sendable>(
        mailbox: Mailbox<Payload>,
        credentials: [String: FetchCredential] = [:],
        wrap: @escaping @Sendable (FetchEvent) -> Payload
    ) throws(FetchError) {
        try self.init(
            deliver: { mailbox.post(wrap($0)) },
            beginExpecting: { mailbox.beginExpecting() },
            endExpecting: { mailbox.endExpecting() },
            credentials: credentials
        )
    }

    /// A fetcher that hands over what happens.
    ///
    /// - Parameters:
    ///   - deliver: Takes an event, on the fetcher's thread; must not block and must not call the fetcher.
    ///   - beginExpecting: Is told when a request begins.
    ///   - endExpecting: Is told, as often, when all of a request has been delivered or it was cancelled.
    ///   - credentials: Who asks, by the host with its port as URLs have it.
    /// - Throws: ``FetchError`` when libcurl cannot be set up.
    package init(
        deliver: @escaping @Sendable (FetchEvent) -> Void,
        beginExpecting: @escaping @Sendable () -> Void = {},
        endExpecting: @escaping @Sendable () -> Void = {},
        credentials: [String: FetchCredential] = [:]
    ) throws(FetchError) {
        engine = try CurlEngine(
            CurlEngine.Owner(deliver: deliver, beginExpecting: beginExpecting, endExpecting: endExpecting),
            credentials: credentials
        )
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
