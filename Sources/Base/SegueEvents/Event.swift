package import SegueBase

/// An event of a run.
package struct Event: Sendable, Equatable {
    /// The time since the run began.
    package let at: Instant

    package let kind: EventKind

    package init(at: Instant, _ kind: EventKind) {
        self.at = at
        self.kind = kind
    }
}

/// The part of the system that an event comes from.
package enum EventSource: String, Sendable, CaseIterable {
    case origin, link, player, app, platform, regression
}

/// The importance of an event.
package enum EventLevel: String, Sendable, CaseIterable {
    case debug, info, notice, warning, error
}
