internal import SegueBase
package import SegueEvents

/// The receiver of a proxy's events, called on the proxy's thread; it must not block.
package struct ProxyObserver: Sendable {
    /// True if requests are parsed even on networks without effects.
    let wantsRequests: Bool
    private let event: @Sendable (EventKind) -> Void
    private let line: @Sendable (String) -> Void
    private let decoded: @Sendable (_ bytes: [UInt8], _ coding: String, _ most: Int) -> [UInt8]?

    /// Creates an observer.
    ///
    /// - Parameters:
    ///   - wantsRequests: True if requests are reported even on networks without effects, which costs time.
    ///   - event: Receives events for the log.
    ///   - line: Receives messages for people about failures.
    ///   - decoded: Decodes the beginning of a content coding (RFC 9110, 8.4.1), up to a size; nil for an unsupported
    ///     coding.
    package init(
        wantsRequests: Bool = false,
        event: @escaping @Sendable (EventKind) -> Void = { _ in },
        line: @escaping @Sendable (String) -> Void = { _ in },
        decoded: @escaping @Sendable (_ bytes: [UInt8], _ coding: String, _ most: Int) -> [UInt8]? = { _, _, _ in nil }
    ) {
        (self.wantsRequests, self.event, self.line, self.decoded) = (wantsRequests, event, line, decoded)
    }

    /// The decoded beginning of a body; nil for an unsupported coding.
    func beginning(of body: ExchangeWatch.Body, most: Int) -> [UInt8]? {
        body.coding.isEmpty ? body.bytes : decoded(body.bytes, body.coding, most)
    }

    func happened(_ kind: EventKind) { event(kind) }

    func say(_ text: String) { line(text) }
}
