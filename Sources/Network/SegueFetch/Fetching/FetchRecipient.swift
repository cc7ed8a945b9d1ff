package import SegueBase

/// Takes what a fetcher delivers from a thread of its own.
package struct FetchRecipient: Sendable {
    /// Takes an event, on the fetcher's thread; must not block and must not call the fetcher.
    package let deliver: @Sendable (FetchEvent) -> Void

    /// Is told when a request begins.
    package let beginExpecting: @Sendable () -> Void

    /// Is told, as often, when all of a request has been delivered or it was cancelled.
    package let endExpecting: @Sendable () -> Void

    /// A recipient.
    package init(
        deliver: @escaping @Sendable (FetchEvent) -> Void,
        beginExpecting: @escaping @Sendable () -> Void = {},
        endExpecting: @escaping @Sendable () -> Void = {}
    ) {
        (self.deliver, self.beginExpecting, self.endExpecting) = (deliver, beginExpecting, endExpecting)
    }

    /// A run's mailbox, which expects mail while requests are open.
    ///
    /// - Parameters:
    ///   - mailbox: The mailbox of the run's loop.
    ///   - wrap: Makes a payload of the loop from an event.
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
