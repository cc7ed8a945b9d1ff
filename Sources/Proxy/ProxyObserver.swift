package import Events
internal import Timeline

/// Whom a proxy tells what happens; it is called on the proxy's thread and must not keep it.
package struct ProxyObserver: Sendable {
    private let event: @Sendable (EventKind) -> Void
    private let line: @Sendable (String) -> Void

    /// An observer.
    ///
    /// - Parameters:
    ///   - event: Takes what belongs into the log.
    ///   - line: Takes a line for a person: what went wrong, and with whom.
    package init(
        event: @escaping @Sendable (EventKind) -> Void = { _ in },
        line: @escaping @Sendable (String) -> Void = { _ in }
    ) {
        (self.event, self.line) = (event, line)
    }

    func happened(_ kind: EventKind) { event(kind) }

    func say(_ text: String) { line(text) }
}
