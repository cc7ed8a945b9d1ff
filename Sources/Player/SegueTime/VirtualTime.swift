internal import CSegueTime
internal import Dispatch
internal import SegueBase
internal import Synchronization

/// How a run of virtual time runs.
struct VirtualTimeOptions: Sendable {
    var seed: UInt64
    var start: Duration
    var limit: Duration
    var patience: Duration
    var escapes: VirtualTime.Escapes
}

/// The virtual time that the caller is in.
public enum VirtualTime {
    /// What is done about work that comes back from outside virtual time.
    public enum Escapes: Sendable {
        /// The run fails and says where it came from: nothing is the same twice with it.
        case reported
        /// It is taken in.
        case allowed
    }

    /// Whether the caller is in virtual time.
    public static var isActive: Bool { segue_time_entered() != nil }

    /// How much virtual time has passed since the run began; zero outside of one.
    public static var elapsed: Duration { VirtualRun.current?.elapsed ?? .zero }

    /// Waits until nothing is left to happen at the present instant, without time going on.
    public static func settle() async {
        guard VirtualRun.current != nil else { return await Task.yield() }
        await withCheckedContinuation { continuation in
            VirtualRun.current?.whenSettled { continuation.resume() }
        }
    }
}

/// Runs a test in virtual time: an hour of sleeps takes as long as what is done between them.
///
/// Within it `Task`s, actors, task groups, `Task.sleep`, `MainActor`, `DispatchQueue`, `Thread.sleep` and semaphores go by
/// virtual time, which jumps to the next thing that happens; `ContinuousClock`, `SuspendingClock`, `Date`,
/// `DispatchTime` and `ProcessInfo` read it. What other tests of the process do goes by real time as before. Runs of one
/// process take turns; the main actor is theirs alone meanwhile.
///
/// - Parameters:
///   - seed: What chance goes by among things that are ready at the same instant; 0 has the first that came be first.
///     What is on the main actor, or on a serial queue, keeps its order.
///   - start: The time of day at the beginning, since 1970; the beginning of 2026 unless given.
///   - limit: How far time may go; a day unless given.
///   - patience: How long, of real time, one thing may take, and how long is waited for work from outside when nothing is
///     left to happen; five seconds unless given.
///   - escapes: What is done about work that comes from outside.
///   - isolation: Where the caller runs.
///   - body: The test, which runs where it was written: on the main actor in a test on the main actor.
/// - Returns: What the test returns.
/// - Throws: What the test throws, or ``VirtualTimeError``.
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
        // Here, so that what belongs to the caller's task goes with it: the test that it runs in, for one.
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

/// What is lent to another task while its owner waits for that.
private struct Lent<Value>: @unchecked Sendable {
    let value: Value
    init(_ value: Value) { self.value = value }
}

/// What a test returned, on its way out of virtual time.
private final class Kept<Value: Sendable>: Sendable {
    private let kept = Mutex<Value?>(nil)

    func keep(_ value: Value) { kept.withLock { $0 = value } }

    func value() throws -> Value {
        guard let value = kept.withLock({ $0 }) else { throw CancellationError() }
        return value
    }
}
