internal import SegueBase
package import SegueEvents

/// Whom a proxy tells what happens; it is called on the proxy's thread and must not keep it.
package struct ProxyObserver: Sendable {
    /// Whether somebody wants to know of requests, so that they are read also where nothing else has to be.
    let wantsRequests: Bool
    private let event: @Sendable (EventKind) -> Void
    private let line: @Sendable (String) -> Void
    private let decoded: @Sendable (_ bytes: [UInt8], _ coding: String, _ most: Int) -> [UInt8]?

    /// An observer.
    ///
    /// - Parameters:
    ///   - wantsRequests: Whether requests are told also on networks that change nothing, which takes the proxy more time.
    ///   - event: Takes what belongs into the log.
    ///   - line: Takes a line for a person: what went wrong, and with whom.
    ///   - decoded: The beginning of what was packed in a content coding (RFC 9110, 8.4.1), up to so many bytes; nil for
    ///     a coding that it does not know.
    package init(
        wantsRequests: Bool = false,
        event: @escaping @Sendable (EventKind) -> Void = { _ in },
        line: @escaping @Sendable (String) -> Void = { _ in },
        decoded: @escaping @Sendable (_ bytes: [UInt8], _ coding: String, _ most: Int) -> [UInt8]? = { _, _, _ in nil }
    ) {
        (self.wantsRequests, self.event, self.line, self.decoded) = (wantsRequests, event, line, decoded)
    }

    /// The beginning of a body, as its content coding has it; nil where nobody knows the coding.
    func beginning(of body: ExchangeWatch.Body, most: Int) -> [UInt8]? {
        body.coding.isEmpty ? body.bytes : decoded(body.bytes, body.coding, most)
    }

    func happened(_ kind: EventKind) { event(kind) }

    func say(_ text: String) { line(text) }
}
