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
        /// Whether the item follows at the end of the previous one, so that the service expects it.
        let isContinuation: Bool
    }

    private(set) var state = State.closed

    /// The requests that the media service has not received yet.
    var requests: [Request] = []

    /// Whether the next item follows at the end of the previous one.
    private var follows = false

    /// The item that the permission is for; nil while closed.
    var item: ItemID? {
        switch state {
        case .closed: nil
        case .requested(let item), .open(let item, _): item
        }
    }

    /// Revokes the permission until it is requested again.
    mutating func close(follows: Bool = false) {
        state = .closed
        self.follows = follows
    }

    /// Requests permission to play an item, unless it has been requested.
    mutating func request(_ wanted: ItemID) {
        guard item != wanted else { return }
        state = .requested(wanted)
        requests.append(Request(item: wanted, isContinuation: follows))
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
