package import SegueBase

/// The receiver of a fetcher's events, called on the fetcher's thread.
package struct FetchRecipient: Sendable {
    /// Receives an event; must not block and must not call the fetcher.
    package let deliver: @Sendable (FetchEvent) -> Void

    /// Called when a request begins.
    package let beginExpecting: @Sendable () -> Void

    /// Called once for each request, after its last event or its cancellation.
    package let endExpecting: @Sendable () -> Void

    package init(
        deliver: @escaping @Sendable (FetchEvent) -> Void,
        beginExpecting: @escaping @Sendable () -> Void = {},
        endExpecting: @escaping @Sendable () -> Void = {}
    ) {
        (self.deliver, self.beginExpecting, self.endExpecting) = (deliver, beginExpecting, endExpecting)
    }

    /// Creates a recipient for a run's mailbox, which expects mail while requests are open.
    ///
    /// - Parameters:
    ///   - mailbox: The mailbox of the run's loop.
    ///   - wrap: Converts an event to a payload of the loop.
    package init<Payload: Sendable>(
        mailbox: Mailbox<Payload>,
        wrap: @escaping @Sendable (FetchEvent) -> Payload
    ) {
        self.init(
            deliver: { mailbox.post(wrap($0)) },
            beginExpecting: { mailbox.beginExpecting() },
            endExpecting: { mailbox.endExpecting() }
        )
    }
}
