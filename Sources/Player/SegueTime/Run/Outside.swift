internal import CSegueTime
internal import Glibc
internal import SegueBase
internal import Synchronization

/// What other threads than a run's own have to do with it: mail, the watch over what blocks, and the end.
///
/// Its state is behind a lock, and its semaphores are the system's, which any thread may use.
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

    /// Whether the run is over.
    var isOver: Bool { isOverFlag.load(ordering: .acquiring) }

    /// Begins the end; whether it had not begun.
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

    // MARK: Mail

    var hasMail: Bool { mailCount.load(ordering: .acquiring) > 0 }

    /// Leaves something for the run to do, from a thread outside.
    ///
    /// - Parameters:
    ///   - place: Where it comes from.
    ///   - letter: What is done.
    func post(_ place: CallPlace, _ letter: @escaping () -> Void) {
        state.withLock { state in
            state.value.mail.append(letter)
            // Enough to see what it is.
            if state.value.escapes.count < 3 { state.value.escapes.append(place) }
        }
        mailCount.add(1, ordering: .releasing)
        sem_post(bell)
    }

    /// Takes out what was left.
    func takeMail() -> [() -> Void] {
        let mail = state.withLock { state in
            defer { state.value.mail = [] }
            return SendableState(state.value.mail)
        }.value
        mailCount.subtract(mail.count, ordering: .releasing)
        return mail
    }

    /// Waits for mail; false where none came in time.
    func waitForMail(patience: Duration) -> Bool {
        isIdle.store(true, ordering: .releasing)
        defer { isIdle.store(false, ordering: .releasing) }
        while !hasMail {
            guard Outside.wait(bell, patience) else { return hasMail }
        }
        return true
    }

    /// Where what came from outside came from.
    var escapes: [CallPlace] { state.withLock { $0.value.escapes } }

    /// Whether a task belongs to the run.
    func knows(_ task: UInt64) -> Bool { task != 0 && state.withLock { $0.value.tasks.contains(task) } }

    /// Takes in that a task belongs to the run.
    func learn(_ task: UInt64) { state.withLock { _ = $0.value.tasks.insert(task) } }

    /// Takes in which semaphores and groups something in the run waits for.
    func await(_ objects: [UnsafeMutableRawPointer]) { state.withLock { $0.value.awaited = objects } }

    /// Whether something in the run waits for a semaphore or a group.
    func isAwaited(_ object: UnsafeMutableRawPointer) -> Bool {
        state.withLock { $0.value.awaited.contains(object) }
    }

    // MARK: The watch

    /// Something happened.
    func noteProgress() { progress.add(1, ordering: .relaxed) }

    /// Another thread goes on with the run.
    func watched(_ thread: VirtualThread) { state.withLock { $0.value.watched = thread } }

    /// Watches over a run until its end.
    ///
    /// - Parameters:
    ///   - thread: The thread that begins it.
    ///   - patience: How long, of real time, one thing may take.
    ///   - isBlocked: Is told where one stood that took longer.
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

    /// Waits for a semaphore in real time; whether it was posted.
    private static func wait(_ semaphore: UnsafeMutablePointer<sem_t>, _ patience: Duration) -> Bool {
        segue_time_wait_semaphore(semaphore, patience.wholeNanoseconds)
    }
}

/// What is guarded by a lock, whatever it is.
private struct SendableState<Value>: @unchecked Sendable {
    var value: Value
    init(_ value: Value) { self.value = value }
}

/// A thread that watches.
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
