package import SegueBase

/// One thing that happened in a run.
package struct Event: Sendable, Equatable {
    /// When, since the run began.
    package let at: Instant

    /// What.
    package let kind: EventKind

    /// An event.
    package init(at: Instant, _ kind: EventKind) {
        self.at = at
        self.kind = kind
    }
}

/// The part of the system that an event comes from.
package enum EventSource: String, Sendable, CaseIterable {
    case origin, link, player, app, platform, regression
}

/// How much attention an event deserves.
package enum EventLevel: String, Sendable, CaseIterable {
    case debug, info, notice, warning, error
}
