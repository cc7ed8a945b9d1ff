internal import CSegueTime
internal import Glibc
internal import SegueBase
internal import Synchronization

/// The interface of a run for other threads: a mailbox, the watchdog for blocked threads, and the end.
///
/// A lock protects its state, and its semaphores are system semaphores, which any thread may use.
final class Outside: @unchecked Sendable {
    private struct State {
        var mail: [() -> Void] = []
        var escapes: [CallPlace] = []
        var tasks: Set<UInt64> = []
        var awaited: [UnsafeMutableRawPointer] = []
        var watched: VirtualThread?
        var isEnding = false
    }

    private let state = Mutex(SendableState(State()))
    private let isOverFlag = Atomic<Bool>(false)
    private let mailCount = Atomic<Int>(0)
    private let progress = Atomic<Int>(0)
    private let isIdle = Atomic<Bool>(false)
    private let bell = UnsafeMutablePointer<sem_t>.allocate(capacity: 1)
    private let over = UnsafeMutablePointer<sem_t>.allocate(capacity: 1)

    init() {
        sem_init(bell, 0, 0)
        sem_init(over, 0, 0)
    }

    deinit {
        for semaphore in [bell, over] {
            sem_destroy(semaphore)
            semaphore.deallocate()
        }
    }

    /// True if the run is over.
    var isOver: Bool { isOverFlag.load(ordering: .acquiring) }

    /// Begins the end, and returns whether it had not begun.
    func isEnding() -> Bool {
        let isFirst = state.withLock { state in
            defer { state.value.isEnding = true }
            return !state.value.isEnding
        }
        guard isFirst else { return false }
        isOverFlag.store(true, ordering: .releasing)
        sem_post(over)
        return true
    }

    // MARK: The mailbox

    var hasMail: Bool { mailCount.load(ordering: .acquiring) > 0 }

    /// Posts work to the run, from a thread outside.
    ///
    /// - Parameters:
    ///   - place: The call stack of the sender.
    func post(_ place: CallPlace, _ letter: @escaping () -> Void) {
        state.withLock { state in
            state.value.mail.append(letter)
            // Enough to identify the source.
            if state.value.escapes.count < 3 { state.value.escapes.append(place) }
        }
        mailCount.add(1, ordering: .releasing)
        sem_post(bell)
    }

    /// Removes and returns the posted work.
    func takeMail() -> [() -> Void] {
        let mail = state.withLock { state in
            defer { state.value.mail = [] }
            return SendableState(state.value.mail)
        }.value
        mailCount.subtract(mail.count, ordering: .releasing)
        return mail
    }

    /// Waits for posted work, and returns whether any arrived in time.
    func waitForMail(patience: Duration) -> Bool {
        isIdle.store(true, ordering: .releasing)
        defer { isIdle.store(false, ordering: .releasing) }
        while !hasMail {
            guard Outside.wait(bell, patience) else { return hasMail }
        }
        return true
    }

    /// The call stacks of work that came from outside.
    var escapes: [CallPlace] { state.withLock { $0.value.escapes } }

    /// Returns whether a task belongs to the run.
    func knows(_ task: UInt64) -> Bool { task != 0 && state.withLock { $0.value.tasks.contains(task) } }

    /// Records that a task belongs to the run.
    func learn(_ task: UInt64) { state.withLock { _ = $0.value.tasks.insert(task) } }

    /// Records the semaphores and groups that the run waits for.
    func await(_ objects: [UnsafeMutableRawPointer]) { state.withLock { $0.value.awaited = objects } }

    /// Returns whether the run waits for a semaphore or a group.
    func isAwaited(_ object: UnsafeMutableRawPointer) -> Bool {
        state.withLock { $0.value.awaited.contains(object) }
    }

    // MARK: The watchdog

    func noteProgress() { progress.add(1, ordering: .relaxed) }

    /// Records the thread that continues the run.
    func watched(_ thread: VirtualThread) { state.withLock { $0.value.watched = thread } }

    /// Watches a run until its end.
    ///
    /// - Parameters:
    ///   - thread: The thread that begins it.
    ///   - patience: The maximum real time for a single piece of work.
    ///   - isBlocked: Receives the call stack of work that exceeded it.
    func watch(_ thread: VirtualThread, patience: Duration, isBlocked: @escaping @Sendable (String) -> Void) {
        watched(thread)
        let watch = Watch { [self] in
            var last = -1
            while !Outside.wait(over, patience) {
                let now = progress.load(ordering: .relaxed)
                guard now == last, !isIdle.load(ordering: .acquiring) else {
                    last = now
                    continue
                }
                let thread = state.withLock { $0.value.watched }
                return isBlocked(thread.map(InterruptedThread.place) ?? "")
            }
        }
        watch.begin()
    }

    /// Waits for a semaphore in real time, and returns whether it was posted.
    private static func wait(_ semaphore: UnsafeMutablePointer<sem_t>, _ patience: Duration) -> Bool {
        segue_time_wait_semaphore(semaphore, patience.wholeNanoseconds)
    }
}

/// A value that a lock protects, of any type.
private struct SendableState<Value>: @unchecked Sendable {
    var value: Value
    init(_ value: Value) { self.value = value }
}

/// A watchdog thread.
private final class Watch: Sendable {
    private let body: @Sendable () -> Void

    init(_ body: @escaping @Sendable () -> Void) { self.body = body }

    func begin() {
        var handle = pthread_t()
        let context = Unmanaged.passRetained(self).toOpaque()
        let code = pthread_create(
            &handle,
            nil,
            { context in
                Unmanaged<Watch>.fromOpaque(context!).takeRetainedValue().body()
                return nil
            },
            context
        )
        guard code == 0 else { fatalError("SegueTime: pthread_create: error \(code)") }
        pthread_detach(handle)
    }
}
