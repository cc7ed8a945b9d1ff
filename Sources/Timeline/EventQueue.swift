internal import HeapModule

/// What is still to happen, in order of time, then priority, then the order in which it was scheduled.
///
/// The tie-break is part of the contract: it makes a virtual-time run the same on every machine.
package struct EventQueue<Payload> {
    /// Names one scheduled payload, so that it can be taken back.
    package struct Token: Hashable, Sendable {
        fileprivate let number: UInt64
    }

    private struct Entry: Comparable {
        let instant: Instant
        let priority: Priority
        let number: UInt64
        let payload: Payload

        static func < (left: Entry, right: Entry) -> Bool {
            (left.instant, left.priority.rawValue, left.number) < (right.instant, right.priority.rawValue, right.number)
        }

        static func == (left: Entry, right: Entry) -> Bool { left.number == right.number }
    }

    private var heap = Heap<Entry>()
    private var pending: Set<UInt64> = []
    private var nextNumber: UInt64 = 0

    /// An empty queue.
    package init() {}

    /// Whether nothing is left to happen.
    package var isEmpty: Bool { pending.isEmpty }

    /// How much is left to happen.
    package var count: Int { pending.count }

    /// The time of the next payload; nil when there is none.
    package var nextInstant: Instant? {
        mutating get {
            dropCancelled()
            return heap.min?.instant
        }
    }

    /// Adds a payload.
    ///
    /// - Returns: A token that takes it back.
    @discardableResult
    package mutating func schedule(_ payload: Payload, at instant: Instant, priority: Priority = .normal) -> Token {
        let number = nextNumber
        nextNumber += 1
        pending.insert(number)
        heap.insert(Entry(instant: instant, priority: priority, number: number, payload: payload))
        return Token(number: number)
    }

    /// Moves payloads to other times.
    ///
    /// - Parameter instant: The time of a payload, given its present one.
    package mutating func move(_ instant: (Instant, Payload) -> Instant) {
        let entries = heap.unordered.filter { pending.contains($0.number) }
        heap = Heap(
            entries.map { entry in
                Entry(
                    instant: instant(entry.instant, entry.payload),
                    priority: entry.priority,
                    number: entry.number,
                    payload: entry.payload
                )
            }
        )
    }

    /// Takes a payload back; does nothing when it has happened already.
    package mutating func cancel(_ token: Token) { pending.remove(token.number) }

    /// Takes out the next payload with its time.
    package mutating func popNext() -> (instant: Instant, payload: Payload)? {
        dropCancelled()
        guard let entry = heap.popMin() else { return nil }
        pending.remove(entry.number)
        return (entry.instant, entry.payload)
    }

    private mutating func dropCancelled() {
        while let first = heap.min, !pending.contains(first.number) { heap.removeMin() }
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
