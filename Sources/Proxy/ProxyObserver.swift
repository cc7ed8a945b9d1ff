package import Events
internal import Timeline

/// Whom a proxy tells what happens; it is called on the proxy's thread and must not keep it.
package struct ProxyObserver: Sendable {
    /// Whether somebody wants to know of requests, so that they are read also where nothing else has to be.
    let wantsRequests: Bool
    private let event: @Sendable (EventKind) -> Void
    private let line: @Sendable (String) -> Void

    /// An observer.
    ///
    /// - Parameters:
    ///   - wantsRequests: Whether requests are told also on networks that change nothing, which takes the proxy more time.
    ///   - event: Takes what belongs into the log.
    ///   - line: Takes a line for a person: what went wrong, and with whom.
    package init(
        wantsRequests: Bool = false,
        event: @escaping @Sendable (EventKind) -> Void = { _ in },
        line: @escaping @Sendable (String) -> Void = { _ in }
    ) {
        (self.wantsRequests, self.event, self.line) = (wantsRequests, event, line)
    }

    func happened(_ kind: EventKind) { event(kind) }

    func say(_ text: String) { line(text) }
}
