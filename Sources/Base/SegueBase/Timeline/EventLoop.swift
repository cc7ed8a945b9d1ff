internal import Foundation
internal import Synchronization

/// A loop that orders all events of a run in virtual, real, or scaled time.
///
/// A loop belongs to the thread that runs it; other threads reach it through its ``mailbox``. The type is public
/// because the compiler specializes only public generic code for the payloads of other modules.
public final class EventLoop<Payload: Sendable> {
    /// The passage of time in the loop.
    public enum Pace: Sendable, Equatable {
        /// Time jumps to the next event, but never while work outside the loop is outstanding.
        case virtual
        /// Time passes `scale` times as fast as the clock; the scale is above zero.
        case real(scale: Double)
    }

    /// The reason for the end of a run.
    public enum Ending: Sendable, Equatable {
        /// No event is left.
        case idle
        /// ``stop()`` was called.
        case stopped
        /// The next event is after the limit.
        case limit
    }

    /// The mailbox through which other threads post payloads.
    public let mailbox = Mailbox<Payload>()

    /// The current time.
    @inlinable public var now: Instant { present }

    // The following members are internal, but compiled into the callers.

    /// The current time, as a variable.
    @usableFromInline var present = Instant.zero

    /// The instant before which nothing else happens: the next event, the end of the run, or now if time must not jump.
    ///
    /// Nil if nothing is scheduled.
    @inlinable public var horizon: Instant? {
        guard pace == .virtual, !mailbox.isExpectingMail else { return now }
        guard let next = queue.nextInstant else { return limit }
        return limit.map { min($0, next) } ?? next
    }

    @usableFromInline let pace: Pace

    /// The end of the current run; nil without a limit.
    @usableFromInline var limit: Instant?

    @usableFromInline var queue = EventQueue<Payload>()

    @usableFromInline var isStopped = false

    /// Creates a loop at time zero without events.
    public init(pace: Pace) { self.pace = pace }

    /// The time of the next payload; nil if none is scheduled.
    @inlinable public var nextInstant: Instant? { queue.nextInstant }

    /// Schedules a payload; an instant in the past means now.
    @inlinable @discardableResult
    public func schedule(_ payload: Payload, at instant: Instant, priority: Priority = .normal) -> EventToken {
        queue.schedule(payload, at: max(instant, now), priority: priority)
    }

    /// Cancels a scheduled payload.
    @inlinable public func cancel(_ token: EventToken) { queue.cancel(token) }

    /// Ends the run after the current payload.
    @inlinable public func stop() { isStopped = true }

    /// Runs until no event is left, ``stop()`` is called, or the next event is after `limit`.
    @inlinable public func run(until limit: Instant? = nil, handle: (Payload, Instant) -> Void) -> Ending {
        isStopped = false
        self.limit = limit
        let start = ContinuousClock.now
        let begun = now
        while !isStopped {
            if case .real(let scale) = pace {
                present = max(now, begun + (ContinuousClock.now - start) * scale)
            }
            takeMail()
            let next = queue.nextInstant
            if let limit, now > limit || next.map({ $0 > limit && (pace == .virtual || now >= limit) }) == true {
                return .limit
            }
            switch pace {
            case .virtual:
                if mailbox.isExpectingMail {
                    mailbox.wait(until: nil)
                    continue
                }
                guard next != nil else { return .idle }
            case .real(let scale):
                guard next != nil || mailbox.isExpectingMail else { return .idle }
                let wake = [next, limit].compactMap { $0 }.min()
                if next.map({ $0 > now }) ?? true {
                    mailbox.wait(until: wake.map { start + ($0 - begun) * (1 / scale) })
                    continue
                }
            }
            guard let (instant, payload) = queue.popNext() else { continue }
            present = max(now, instant)
            handle(payload, now)
        }
        return .stopped
    }

    @inlinable func takeMail() {
        guard mailbox.isExpectingMail else { return }
        for payload in mailbox.takeAll() { queue.schedule(payload, at: now, priority: .arrival) }
    }
}

/// A thread-safe mailbox of an event loop.
///
/// Work outside the loop announces its mail first, so that virtual time waits for it and a real-time loop does not end.
public final class Mailbox<Payload: Sendable>: @unchecked Sendable {
    // `payloads` and `expected` are accessed only with `condition` locked.
    private let condition = NSCondition()
    private var payloads: [Payload] = []
    private var expected = 0
    /// The number of expected and delivered payloads, for lock-free reads.
    private let outstanding = Atomic<Int>(0)

    /// Creates an empty mailbox.
    public init() {}

    /// Announces work outside the loop whose result will be posted.
    public func beginExpecting() {
        condition.lock()
        expected += 1
        outstanding.add(1, ordering: .sequentiallyConsistent)
        condition.unlock()
    }

    /// Ends one announced piece of work.
    public func endExpecting() {
        condition.lock()
        expected -= 1
        outstanding.subtract(1, ordering: .sequentiallyConsistent)
        condition.broadcast()
        condition.unlock()
    }

    /// Posts a payload and wakes the loop.
    public func post(_ payload: Payload) {
        condition.lock()
        payloads.append(payload)
        outstanding.add(1, ordering: .sequentiallyConsistent)
        condition.broadcast()
        condition.unlock()
    }

    /// True if work is outstanding or mail is waiting.
    public var isExpectingMail: Bool { outstanding.load(ordering: .sequentiallyConsistent) > 0 }

    /// Removes and returns the mail, oldest first.
    public func takeAll() -> [Payload] {
        condition.lock()
        defer { condition.unlock() }
        outstanding.subtract(payloads.count, ordering: .sequentiallyConsistent)
        defer { payloads.removeAll() }
        return payloads
    }

    /// Waits for mail, for the end of outstanding work, or for the deadline.
    public func wait(until deadline: ContinuousClock.Instant?) {
        condition.lock()
        defer { condition.unlock() }
        guard payloads.isEmpty else { return }
        if let deadline {
            let seconds = (deadline - ContinuousClock.now).seconds
            if seconds > 0 { _ = condition.wait(until: Date(timeIntervalSinceNow: seconds)) }
        } else if expected > 0 {
            condition.wait()
        }
    }
}
