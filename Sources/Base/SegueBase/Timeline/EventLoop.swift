internal import Foundation
internal import Synchronization

/// One loop that orders everything that happens in a run, driven by virtual, real or scaled time.
///
/// A loop belongs to the thread that runs it; other threads reach it through its ``mailbox``. It is public since only such
/// code is compiled for the payloads of other modules.
public final class EventLoop<Payload: Sendable> {
    /// How the loop's time passes.
    public enum Pace: Sendable, Equatable {
        /// Jumps to the next event; never while outside work is outstanding.
        case virtual
        /// Waits for the next event; a scale of 2 makes time pass twice as fast. The scale is above zero.
        case real(scale: Double)
    }

    /// Why a run of the loop ended.
    public enum Ending: Sendable, Equatable {
        /// Nothing was left to happen.
        case idle
        /// ``stop()`` was called.
        case stopped
        /// The next event lies after the given limit.
        case limit
    }

    /// Where other threads leave payloads for the loop.
    public let mailbox = Mailbox<Payload>()

    /// The loop's present time.
    @inlinable public var now: Instant { present }

    // What follows is for this type's own code alone, which is compiled where it is used.

    /// The loop's present time, to be changed.
    @usableFromInline var present = Instant.zero

    /// Until when nothing else happens: the next event or the end of the run, or now where time is not to be jumped over.
    ///
    /// Nil when nothing at all is planned.
    @inlinable public var horizon: Instant? {
        guard pace == .virtual, !mailbox.isExpectingMail else { return now }
        guard let next = queue.nextInstant else { return limit }
        return limit.map { min($0, next) } ?? next
    }

    /// How time passes.
    @usableFromInline let pace: Pace

    /// The end of the run under way; nil for none.
    @usableFromInline var limit: Instant?

    /// What is to happen.
    @usableFromInline var queue = EventQueue<Payload>()

    /// Whether the run is to end.
    @usableFromInline var isStopped = false

    /// A loop at time zero with nothing to do.
    public init(pace: Pace) { self.pace = pace }

    /// When the next payload is to happen; nil when nothing is planned.
    @inlinable public var nextInstant: Instant? { queue.nextInstant }

    /// Plans a payload for an instant; one in the past happens now.
    @inlinable @discardableResult
    public func schedule(_ payload: Payload, at instant: Instant, priority: Priority = .normal) -> EventToken {
        queue.schedule(payload, at: max(instant, now), priority: priority)
    }

    /// Takes a planned payload back.
    @inlinable public func cancel(_ token: EventToken) { queue.cancel(token) }

    /// Ends the run after the payload in hand.
    @inlinable public func stop() { isStopped = true }

    /// Runs until nothing is left, until ``stop()``, or until the next event lies after `limit`.
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

/// A thread-safe letter box for one event loop.
///
/// Whoever works outside the loop first says that mail is to be expected, so that virtual time waits for it and a
/// real-time loop does not end for want of events.
public final class Mailbox<Payload: Sendable>: @unchecked Sendable {
    // `payloads` and `expected` are only touched with `condition` locked.
    private let condition = NSCondition()
    private var payloads: [Payload] = []
    private var expected = 0
    /// How much is expected and left together, for those who only look.
    private let outstanding = Atomic<Int>(0)

    /// An empty box.
    public init() {}

    /// Says that work outside has begun whose result will be posted.
    public func beginExpecting() {
        condition.lock()
        expected += 1
        outstanding.add(1, ordering: .sequentiallyConsistent)
        condition.unlock()
    }

    /// Says that one such piece of work is over.
    public func endExpecting() {
        condition.lock()
        expected -= 1
        outstanding.subtract(1, ordering: .sequentiallyConsistent)
        condition.broadcast()
        condition.unlock()
    }

    /// Leaves a payload for the loop, which wakes for it.
    public func post(_ payload: Payload) {
        condition.lock()
        payloads.append(payload)
        outstanding.add(1, ordering: .sequentiallyConsistent)
        condition.broadcast()
        condition.unlock()
    }

    /// Whether outside work is outstanding or mail is waiting.
    public var isExpectingMail: Bool { outstanding.load(ordering: .sequentiallyConsistent) > 0 }

    /// Takes out what was left, oldest first.
    public func takeAll() -> [Payload] {
        condition.lock()
        defer { condition.unlock() }
        outstanding.subtract(payloads.count, ordering: .sequentiallyConsistent)
        defer { payloads.removeAll() }
        return payloads
    }

    /// Waits for mail, for the end of outside work, or for a point in time.
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
