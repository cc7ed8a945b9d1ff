/// What is still to happen, in order of time, then priority, then the order in which it was scheduled.
///
/// The tie-break is part of the contract: it makes a virtual-time run the same on every machine. The order is kept apart
/// from the payloads, so that it is of one type for all of them: it is asked and changed with every packet.
package struct EventQueue<Payload> {
    /// Names one scheduled payload, so that it can be taken back.
    package struct Token: Hashable, Sendable {
        fileprivate let number: UInt64
        fileprivate let slot: Int
    }

    private var order = EventOrder()
    private var payloads: [Payload?] = []

    /// An empty queue.
    package init() {}

    /// Whether nothing is left to happen.
    package var isEmpty: Bool { order.count == 0 }

    /// How much is left to happen.
    package var count: Int { order.count }

    /// The time of the next payload; nil when there is none.
    package var nextInstant: Instant? { order.first?.instant }

    /// Adds a payload.
    ///
    /// - Returns: A token that takes it back.
    @discardableResult
    package mutating func schedule(_ payload: Payload, at instant: Instant, priority: Priority = .normal) -> Token {
        let (number, slot) = order.add(at: instant, priority: priority)
        if slot == payloads.count { payloads.append(payload) } else { payloads[slot] = payload }
        return Token(number: number, slot: slot)
    }

    /// Moves payloads to other times.
    ///
    /// - Parameter instant: The time of a payload, given its present one.
    package mutating func move(_ instant: (Instant, Payload) -> Instant) {
        order.move { present, slot in payloads[slot].map { instant(present, $0) } ?? present }
    }

    /// Takes a payload back; does nothing when it has happened already.
    package mutating func cancel(_ token: Token) {
        if order.remove(token.number, slot: token.slot) { payloads[token.slot] = nil }
    }

    /// Takes out the next payload with its time.
    package mutating func popNext() -> (instant: Instant, payload: Payload)? {
        guard let next = order.removeFirst(), let payload = payloads[next.slot].take() else { return nil }
        return (next.instant, payload)
    }
}

/// What comes first among things that happen at the same instant.
package enum Priority: UInt8, Sendable {
    /// Before all else: bytes and other news from outside.
    case arrival
    /// Everything that names no priority.
    case normal
    /// After all else at that instant: scenario steps and checks, which look at the settled state.
    case settled
}
