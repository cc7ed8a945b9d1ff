/// What is still to happen, in order of time, then priority, then the order in which it was scheduled.
///
/// The tie-break is part of the contract: it makes a virtual-time run the same on every machine. The order is kept apart
/// from the payloads, so that it is of one type for all of them, and the rest can be compiled for the payload at hand: both
/// are asked and changed with every packet. It is public since only such code is compiled for the payloads of other
/// modules.
public struct EventQueue<Payload> {
    /// Names what was scheduled.
    public typealias Token = EventToken

    /// The order; for this type's own code alone, which is compiled where it is used.
    @usableFromInline var order = EventOrder()

    /// The payloads by slot; as ``order``.
    @usableFromInline var payloads: [Payload?] = []

    /// An empty queue.
    @inlinable public init() {}

    /// Whether nothing is left to happen.
    @inlinable public var isEmpty: Bool { order.count == 0 }

    /// How much is left to happen.
    @inlinable public var count: Int { order.count }

    /// The time of the next payload; nil when there is none.
    @inlinable public var nextInstant: Instant? { order.firstInstant }

    /// Adds a payload.
    ///
    /// - Returns: A token that takes it back.
    @inlinable @discardableResult
    public mutating func schedule(_ payload: Payload, at instant: Instant, priority: Priority = .normal) -> Token {
        let (number, slot) = order.add(at: instant, priority: priority)
        if slot == payloads.count { payloads.append(payload) } else { payloads[slot] = payload }
        return EventToken(number: number, slot: slot)
    }

    /// Moves payloads to other times.
    ///
    /// - Parameter instant: The time of a payload, given its present one.
    @inlinable public mutating func move(_ instant: (Instant, Payload) -> Instant) {
        order.move { present, slot in payloads[slot].map { instant(present, $0) } ?? present }
    }

    /// Takes a payload back; does nothing when it has happened already.
    @inlinable public mutating func cancel(_ token: Token) {
        if order.remove(token.number, slot: token.slot) { payloads[token.slot] = nil }
    }

    /// Takes out the next payload with its time.
    @inlinable public mutating func popNext() -> (instant: Instant, payload: Payload)? {
        guard let (instant, slot) = order.removeFirst(), let payload = payloads[slot].take() else { return nil }
        return (instant, payload)
    }
}

/// Names one scheduled payload of an ``EventQueue``, so that it can be taken back.
@frozen public struct EventToken: Hashable, Sendable {
    /// How many were scheduled before it.
    public let number: UInt64

    /// Where its payload lies.
    public let slot: Int

    /// The name of a payload.
    @inlinable public init(number: UInt64, slot: Int) { (self.number, self.slot) = (number, slot) }
}

/// What comes first among things that happen at the same instant.
@frozen public enum Priority: UInt8, Sendable {
    /// Before all else: bytes and other news from outside.
    case arrival
    /// Everything that names no priority.
    case normal
    /// After all else at that instant: scenario steps and checks, which look at the settled state.
    case settled
}
