internal import SegueBase

/// The media service's leave to play an item.
struct PlayGate: Sendable {
    /// How far that is.
    enum State: Sendable, Equatable {
        case closed
        case requested(ItemID)
        case open(ItemID, from: Instant)
    }

    /// A request to the media service to play an item.
    struct Request: Sendable, Equatable {
        let item: ItemID
        /// Whether it follows the item before at that one's end, so that the service knew of it.
        let isContinuation: Bool
    }

    private(set) var state = State.closed

    /// The requests that the media service has not been handed yet.
    var requests: [Request] = []

    /// Whether the item that plays next follows the one before at its end.
    private var follows = false

    /// The item that it is for, which plays or is to; nil where it is closed.
    var item: ItemID? {
        switch state {
        case .closed: nil
        case .requested(let item), .open(let item, _): item
        }
    }

    /// Nothing may be played until it was asked for again.
    mutating func close(follows: Bool = false) {
        state = .closed
        self.follows = follows
    }

    /// Asks for leave to play an item, where that was not asked for.
    mutating func request(_ wanted: ItemID) {
        guard item != wanted else { return }
        state = .requested(wanted)
        requests.append(Request(item: wanted, isContinuation: follows))
    }

    /// The item may be played from an instant on.
    ///
    /// - Returns: Whether anybody waited for that.
    mutating func allow(_ item: ItemID, from instant: Instant) -> Bool {
        guard state == .requested(item) else { return false }
        state = .open(item, from: instant)
        return true
    }

    /// Whether an item may be played now.
    func allows(_ item: ItemID, at now: Instant) -> Bool {
        if case .open(item, let from) = state { from <= now } else { false }
    }

    /// When an item may be played, where that is still to come.
    func opening(after now: Instant) -> Instant? {
        if case .open(_, let from) = state, from > now { from } else { nil }
    }

    /// The item that leave is waited for; nil for none.
    var wanted: ItemID? { if case .requested(let item) = state { item } else { nil } }
}
