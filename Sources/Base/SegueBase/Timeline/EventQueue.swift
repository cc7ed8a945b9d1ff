/// Scheduled payloads in order of time, then priority, then scheduling.
///
/// The tie-break is part of the contract: it makes virtual-time runs equal on every machine. The order is separate from
/// the payloads, so that it has one type for all of them and the rest can be specialized; both are used with every
/// packet. The type is public because the compiler specializes only public generic code for the payloads of other
/// modules.
public struct EventQueue<Payload> {
    /// Identifies a scheduled payload.
    public typealias Token = EventToken

    /// The order; internal, but compiled into the callers.
    @usableFromInline var order = EventOrder()

    /// The payloads by slot; like ``order``.
    @usableFromInline var payloads: [Payload?] = []

    /// Creates an empty queue.
    @inlinable public init() {}

    /// True if no payload is left.
    @inlinable public var isEmpty: Bool { order.count == 0 }

    /// The number of payloads that are left.
    @inlinable public var count: Int { order.count }

    /// The time of the next payload; nil if there is none.
    @inlinable public var nextInstant: Instant? { order.firstInstant }

    /// Schedules a payload.
    ///
    /// - Returns: A token for ``cancel(_:)``.
    @inlinable @discardableResult
    public mutating func schedule(_ payload: Payload, at instant: Instant, priority: Priority = .normal) -> Token {
        let (number, slot) = order.add(at: instant, priority: priority)
        if slot == payloads.count { payloads.append(payload) } else { payloads[slot] = payload }
        return EventToken(number: number, slot: slot)
    }

    /// Moves payloads to other times.
    ///
    /// - Parameter instant: Returns the new time of a payload, given its current one.
    @inlinable public mutating func move(_ instant: (Instant, Payload) -> Instant) {
        order.move { present, slot in payloads[slot].map { instant(present, $0) } ?? present }
    }

    /// Cancels a payload, unless it has been removed already.
    @inlinable public mutating func cancel(_ token: Token) {
        if order.remove(token.number, slot: token.slot) { payloads[token.slot] = nil }
    }

    /// Removes the next payload and returns it with its time.
    @inlinable public mutating func popNext() -> (instant: Instant, payload: Payload)? {
        guard let (instant, slot) = order.removeFirst(), let payload = payloads[slot].take() else { return nil }
        return (instant, payload)
    }
}

/// Identifies a scheduled payload of an ``EventQueue``.
@frozen public struct EventToken: Hashable, Sendable {
    /// The number of payloads that were scheduled before it.
    public let number: UInt64

    /// The slot of its payload.
    public let slot: Int

    /// Creates a token.
    @inlinable public init(number: UInt64, slot: Int) { (self.number, self.slot) = (number, slot) }
}

/// The order of events at the same instant.
@frozen public enum Priority: UInt8, Sendable {
    /// First: bytes and other external events.
    case arrival
    /// The priority of events without another one.
    case normal
    /// Last: scenario steps and checks, which need the settled state.
    case settled
}
