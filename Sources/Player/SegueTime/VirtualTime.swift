internal import CSegueTime
internal import Dispatch
internal import SegueBase
internal import Synchronization

/// The options of a run of virtual time.
struct VirtualTimeOptions: Sendable {
    var seed: UInt64
    var start: Duration
    var limit: Duration
    var patience: Duration
    var escapes: VirtualTime.Escapes
}

/// The caller's virtual time.
public enum VirtualTime {
    /// The handling of work that returns from outside of virtual time.
    public enum Escapes: Sendable {
        /// The run fails with the source of the work, which makes it irreproducible.
        case reported
        /// The work is accepted.
        case allowed
    }

    /// True if the caller is in virtual time.
    public static var isActive: Bool { segue_time_entered() != nil }

    /// The virtual time since the run began; zero outside of a run.
    public static var elapsed: Duration { VirtualRun.current?.elapsed ?? .zero }

    /// Waits until nothing is left to do at the present instant, without advancing time.
    public static func settle() async {
        guard VirtualRun.current != nil else { return await Task.yield() }
        await withCheckedContinuation { continuation in
            VirtualRun.current?.whenSettled { continuation.resume() }
        }
    }
}

// Size: each parameter is an independent setting of a test, with a default value.
/// Runs a test in virtual time: an hour of sleeps takes only as long as the work between them.
///
/// Within it, `Task`s, actors, task groups, `Task.sleep`, `MainActor`, `DispatchQueue`, `Thread.sleep`, and semaphores
/// use virtual time, which jumps to the next event. `ContinuousClock`, `SuspendingClock`, `Date`, `DispatchTime`, and
/// `ProcessInfo` return it. Other tests of the process keep using real time. Runs in one process take turns, and each
/// owns the main actor meanwhile.
///
/// - Parameters:
///   - seed: The seed for the order of work that is ready at the same instant; 0 keeps its order. Work on the main
///     actor, or on a serial queue, always stays in order.
///   - start: The time of day at the beginning, since 1970; by default the beginning of 2026.
///   - limit: The maximum virtual time; by default a day.
///   - patience: The maximum real time for a single piece of work, and for the wait for work from outside when no event
///     is left; by default five seconds.
///   - escapes: The handling of work that comes from outside.
///   - body: The test, which runs with the caller's isolation: on the main actor in a test on the main actor.
/// - Returns: The result of the test.
/// - Throws: The errors of the test, or ``VirtualTimeError``.
public func virtualTime<Value: Sendable>(
    seed: UInt64 = 0,
    start: Duration = .seconds(1_767_225_600),
    limit: Duration = .seconds(86_400),
    patience: Duration = .seconds(5),
    escapes: VirtualTime.Escapes = .reported,
    isolation: isolated (any Actor)? = #isolation,
    _ body: @escaping () async throws -> Value
) async throws -> Value {
    guard VirtualRun.current == nil else { throw VirtualTimeError.nested }
    QueueHooks.install
    guard ReplacedExecutors.areInPlace else { throw VirtualTimeError.unsupported(ReplacedExecutors.releases) }
    await Turnstile.enter()
    defer { Turnstile.leave() }
    let options = VirtualTimeOptions(seed: seed, start: start, limit: limit, patience: patience, escapes: escapes)
    let result = Kept<Value>(), body = Lent(body)
    try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
        let hold = MainQueueHold()
        let run = VirtualRun(options) { outcome in
            hold.end()
            continuation.resume(with: outcome)
        }
        VirtualRun.underWay = run
        // This keeps the context of the caller's task, such as the current test.
        run.adopt {
            Task {
                do {
                    result.keep(try await body.value())
                    run.bodyEnded(.success(()))
                } catch {
                    run.bodyEnded(.failure(error))
                }
            }
        }
        hold.begin(patience: patience) { run.begin() }
    }
    return try result.value()
}

/// A value that another task uses while its owner waits.
private struct Lent<Value>: @unchecked Sendable {
    let value: Value
    init(_ value: Value) { self.value = value }
}

/// The result of a test, returned from virtual time.
private final class Kept<Value: Sendable>: Sendable {
    private let kept = Mutex<Value?>(nil)

    func keep(_ value: Value) { kept.withLock { $0 = value } }

    func value() throws -> Value {
        guard let value = kept.withLock({ $0 }) else { throw CancellationError() }
        return value
    }
}
