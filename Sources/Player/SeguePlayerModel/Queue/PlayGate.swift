internal import SegueBase

/// The permission of the media service to play an item.
struct PlayGate: Sendable {
    enum State: Sendable, Equatable {
        case closed
        case requested(ItemID)
        case open(ItemID, from: Instant)
    }

    /// A request to the media service to play an item.
    struct Request: Sendable, Equatable {
        let item: ItemID
        let arrival: Arrival
    }

    /// The way in which an item became the current one.
    enum Arrival: Sendable, Equatable {
        /// It was inserted into an empty queue.
        case inserted
        /// It was in the queue behind the previous item, which was removed.
        case queued
        /// It follows at the end of the previous item, so that the service expects it.
        case followed
    }

    private(set) var state = State.closed

    /// The requests that the media service has not received yet.
    var requests: [Request] = []

    private var arrival = Arrival.inserted

    /// The item that the permission is for; nil while closed.
    var item: ItemID? {
        switch state {
        case .closed: nil
        case .requested(let item), .open(let item, _): item
        }
    }

    /// Revokes the permission until it is requested again.
    mutating func close() {
        state = .closed
        // After a pause, the service does not expect the item any more.
        if arrival == .followed { arrival = .queued }
    }

    /// Revokes the permission for an item that is no longer the current one.
    mutating func close(for arrival: Arrival) {
        state = .closed
        self.arrival = arrival
    }

    /// Requests permission to play an item, unless it has been requested.
    mutating func request(_ wanted: ItemID) {
        guard item != wanted else { return }
        state = .requested(wanted)
        requests.append(Request(item: wanted, arrival: arrival))
    }

    /// Grants permission from an instant on, and returns whether it was requested.
    mutating func allow(_ item: ItemID, from instant: Instant) -> Bool {
        guard state == .requested(item) else { return false }
        state = .open(item, from: instant)
        return true
    }

    func allows(_ item: ItemID, at now: Instant) -> Bool {
        if case .open(item, let from) = state { from <= now } else { false }
    }

    /// Returns the instant at which an item may play, if it lies in the future.
    func opening(after now: Instant) -> Instant? {
        if case .open(_, let from) = state, from > now { from } else { nil }
    }

    /// The item whose permission is pending.
    var wanted: ItemID? { if case .requested(let item) = state { item } else { nil } }
}
