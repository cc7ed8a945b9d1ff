internal import CSegueTime
internal import SegueBase
internal import Synchronization

/// A run of virtual time: a heap of events, ordered by time and then by creation.
///
/// Its threads hand the run to each other: one is running, and all others rest. Its state thus needs no lock, except
/// for the mailbox.
final class VirtualRun: @unchecked Sendable {
    /// The ready work by lane; see ``ReadyWork``.
    private var ready: ReadyWork
    private var later = EventQueue<Work>()
    private var settled: [() -> Void] = []
    private var waits = Waits()
    /// The lanes of queues.
    ///
    /// Each queue is retained, so that no other queue reuses its address.
    private var lanes: [UnsafeMutableRawPointer: Lane] = [:]
    /// The lane of the main queue and the main actor.
    let mainLane = Lane("the main queue")
    private let clocks = UnsafeMutablePointer<segue_time_clocks>.allocate(capacity: 1)

    /// The libdispatch timer sources.
    private(set) lazy var sourceTimers = SourceTimers(of: self)

    private var holder: VirtualThread?
    private var spares: [VirtualThread] = []

    /// The mailbox and the state that the watchdog and other threads use.
    let outside = Outside()

    private let options: VirtualTimeOptions
    private let end: @Sendable (Result<Void, any Error>) -> Void

    /// The number of events at the present instant.
    private var steps = 0
    private static let mostSteps = 1_000_000
    private static let mostStepsAtEnd = 10_000

    /// The result of the body; nil before its end.
    private var bodyResult: Result<Void, any Error>?
    private static let beginning = Int64(1_000_000_000_000)

    /// A run that has not begun, with a closure that receives its result once, on any thread.
    init(_ options: VirtualTimeOptions, end: @escaping @Sendable (Result<Void, any Error>) -> Void) {
        self.options = options
        self.end = end
        ready = ReadyWork(seed: options.seed)
        lanes[segue_time_main_queue()] = mainLane
        clocks.initialize(
            to: segue_time_clocks(
                uptime: VirtualRun.beginning,
                epoch: options.start.wholeNanoseconds - VirtualRun.beginning,
                run: Unmanaged.passUnretained(self).toOpaque()
            )
        )
    }

    deinit {
        for queue in lanes.keys where queue != segue_time_main_queue() { segue_time_release_queue(queue) }
        clocks.deallocate()
    }

    // MARK: The run of a thread

    /// The run of the caller's thread; nil outside of virtual time.
    static var current: VirtualRun? {
        guard let run = segue_time_entered()?.pointee.run else { return nil }
        return Unmanaged<VirtualRun>.fromOpaque(run).takeUnretainedValue()
    }

    /// The run in progress in the process, if any.
    static var underWay: VirtualRun? {
        get { active.withLock { $0 } }
        set { active.withLock { $0 = newValue } }
    }

    private static let active = Mutex<VirtualRun?>(nil)

    /// Returns the run of a job: that of the thread that enqueues it, or for a thread outside, that of its task.
    static func takes(_ job: UnownedJob) -> VirtualRun? {
        if let run = current {
            run.outside.learn(ReplacedExecutors.task(of: job))
            return run
        }
        guard let run = underWay, run.outside.knows(ReplacedExecutors.task(of: job)) else { return nil }
        return run
    }

    /// Assigns objects that a caller creates to this run, before it continues.
    func adopt(_ body: () -> Void) {
        segue_time_enter(clocks)
        body()
        segue_time_enter(nil)
    }

    /// A run that never begins.
    static func probe() -> VirtualRun {
        VirtualRun(
            VirtualTimeOptions(seed: 0, start: .zero, limit: .zero, patience: .zero, escapes: .allowed)
        ) { _ in }
    }

    var hasWork: Bool { !ready.isEmpty }

    /// Runs until the body has ended.
    func begin() {
        let thread = VirtualThread(of: self)
        holder = thread
        outside.watch(thread, patience: options.patience) { [weak self] place in
            guard let self else { return }
            let error = VirtualTimeError.blocked(after: elapsed, for: options.patience, place: place)
            finish(.failure(error))
        }
        thread.goOn()
    }

    // MARK: Time

    /// The virtual time since the beginning.
    var elapsed: Duration { .nanoseconds(clocks.pointee.uptime - VirtualRun.beginning) }

    /// The steady clock at the beginning.
    var began: Instant { Instant(nanoseconds: VirtualRun.beginning) }

    /// The time of the next event on the steady clock; nil for none.
    var nextInstant: Instant? { settled.isEmpty ? later.nextInstant : now }

    /// The present instant on the steady clock.
    var now: Instant { Instant(nanoseconds: clocks.pointee.uptime) }

    // MARK: Work

    /// Runs a closure now, on a lane or without one; from outside, when the run checks its mailbox.
    func enqueue(on lane: Lane? = nil, asBarrier: Bool = false, _ body: @escaping () -> Void) {
        let work = Work(turn: lane?.turn(asBarrier: asBarrier), deed: .call(body))
        guard VirtualRun.current === self else {
            return outside.post(CallPlace()) { [unowned self] in ready.append(work) }
        }
        ready.append(work)
    }

    /// Runs a closure later.
    @discardableResult
    func enqueue(
        on lane: Lane? = nil,
        asBarrier: Bool = false,
        after delay: Duration,
        _ body: @escaping () -> Void
    ) -> EventToken? {
        let work = Work(turn: lane?.turn(asBarrier: asBarrier), deed: .call(body))
        guard VirtualRun.current === self else {
            outside.post(CallPlace()) { [unowned self] in later.schedule(work, at: now + max(.zero, delay)) }
            return nil
        }
        return later.schedule(work, at: now + max(.zero, delay))
    }

    /// Cancels a scheduled closure.
    func cancel(_ token: EventToken) { later.cancel(token) }

    /// Runs a closure when nothing is left to do at this instant.
    func whenSettled(_ body: @escaping () -> Void) { settled.append(body) }

    /// Returns the lane of a queue; nil for a global queue, which has no barriers.
    func lane(of queue: UnsafeMutableRawPointer) -> Lane? {
        if let lane = lanes[queue] { return lane }
        guard !segue_time_is_global(queue) else { return nil }
        let label = segue_time_label(queue).map { String(cString: $0) } ?? ""
        let name = label.isEmpty ? "a queue without a label" : "the queue \(label)"
        let lane = Lane(name, isConcurrent: segue_time_is_concurrent(queue))
        segue_time_retain_queue(queue)
        lanes[queue] = lane
        return lane
    }

    /// Returns whether work of a queue, or a barrier of it, is in progress on the caller's thread.
    func isOn(_ queue: UnsafeMutableRawPointer, asBarrier: Bool) -> Bool {
        guard let lane = lane(of: queue) else { return true }
        return holder?.turns.contains { $0.lane === lane && ($0.isBarrier || !asBarrier) } ?? false
    }

    // MARK: Blocking

    /// Runs a closure on a lane while the caller waits.
    func sync(on lane: Lane?, asBarrier: Bool, _ body: @escaping () -> Void) {
        guard let lane else { return body() }
        let turn = lane.turn(asBarrier: asBarrier)
        guard !turn.mayBegin || ready.hasWork(before: turn) else { return take(turn, body) }
        let done = Flag()
        ready.append(
            Work(
                turn: turn,
                deed: .call { [unowned self] in
                    body()
                    done.isSet = true
                    signalled()
                }
            )
        )
        _ = wait(for: "\(lane.name), by sync", until: { done.isSet }, atMost: nil)
    }

    /// Blocks the caller's thread until a condition is true, while the run continues with other work.
    ///
    /// - Parameters:
    ///   - what: The object of the wait, for reports.
    ///   - object: An object that threads outside may signal; nil for none.
    ///   - isOver: Returns whether the condition is true, after ``signalled()`` indicates that it may be, and never
    ///     after it was.
    ///   - limit: The maximum time; nil for no limit.
    /// - Returns: True if the condition became true.
    func wait(
        for what: String,
        of object: UnsafeMutableRawPointer? = nil,
        until isOver: @escaping () -> Bool,
        atMost limit: Duration?
    ) -> Bool {
        guard let thread = holder else { return false }
        let wait = Waits.Wait(what: what, object: object, place: CallPlace(), isOver: isOver) { [unowned self] in
            ready.append(Work(turn: nil, deed: .resume(thread)))
        }
        waits.add(wait)
        outside.await(waits.objects)
        if let limit {
            later.schedule(Work(turn: nil, deed: .call { [unowned self] in waits.giveUp(wait) }), at: now + limit)
        }
        handOn(to: spares.popLast() ?? VirtualThread(of: self), from: thread)
        return wait.isMet
    }

    /// Like ``wait(for:until:atMost:)``, but work on the caller's lanes continues, as in a nested run loop.
    func yield(for what: String, until isOver: @escaping () -> Bool, atMost limit: Duration) {
        guard !isOver() else { return }
        let turns = holder?.turns ?? []
        for turn in turns { turn.end() }
        _ = wait(for: what, until: isOver, atMost: max(.zero, limit))
        for turn in turns { turn.begin() }
    }

    /// Runs a closure when a condition becomes true.
    func notify(of object: UnsafeMutableRawPointer, when isOver: @escaping () -> Bool, _ body: @escaping () -> Void) {
        guard !isOver() else { return body() }
        waits.add(Waits.Wait(what: "a group's end", object: object, place: CallPlace(), isOver: isOver, then: body))
        outside.await(waits.objects)
    }

    /// Indicates that a condition may have become true.
    func signalled() {
        waits.look()
        outside.await(waits.objects)
    }

    private func handOn(to next: VirtualThread, from thread: VirtualThread) {
        holder = next
        outside.watched(next)
        next.goOn()
        thread.rest()
        guard !outside.isOver else {
            // A wait for something that never happens has nothing to return to.
            while true { thread.rest() }
        }
        holder = thread
        outside.watched(thread)
    }

    // MARK: Continuation

    /// Continues the run, on a thread that owns it.
    func serve(on thread: VirtualThread) {
        segue_time_enter(clocks)
        while !outside.isOver {
            takeMail()
            if let work = ready.next() {
                guard step() else { return leave(bodyResult ?? .failure(standstill)) }
                switch work.deed {
                case .call(let body): if let turn = work.turn { take(turn, body) } else { body() }
                case .resume(let other):
                    spares.append(thread)
                    hand(to: other, leaving: thread)
                }
                continue
            }
            if !settled.isEmpty {
                settled.removeFirst()()
                continue
            }
            if let bodyResult { return leave(bodyResult) }
            guard let next = later.nextInstant else {
                guard waitForMail() else { break }
                continue
            }
            advance(to: next)
        }
        segue_time_enter(nil)
    }

    /// Hands the run to another thread, and rests until needed.
    private func hand(to other: VirtualThread, leaving thread: VirtualThread) {
        holder = other
        outside.watched(other)
        other.goOn()
        thread.rest()
    }

    private func take(_ turn: Turn, _ body: () -> Void) {
        let thread = holder
        turn.begin()
        thread?.turns.append(turn)
        body()
        thread?.turns.removeLast()
        turn.end()
    }

    private func advance(to next: Instant) {
        let end = began + options.limit
        guard next <= end else { return finish(.failure(VirtualTimeError.limit(options.limit))) }
        clocks.pointee.uptime = max(clocks.pointee.uptime, next.nanoseconds)
        steps = 0
        while later.nextInstant == next, let (_, work) = later.popNext() { ready.append(work) }
    }

    private func step() -> Bool {
        steps += 1
        outside.noteProgress()
        return steps <= VirtualRun.mostSteps
    }

    private var standstill: VirtualTimeError { .standstill(at: elapsed, steps: steps) }

    /// Ends the thread and the run.
    private func leave(_ result: Result<Void, any Error>) {
        finish(result)
        segue_time_enter(nil)
    }

    // MARK: Threads outside

    private func takeMail() {
        guard outside.hasMail else { return }
        for letter in outside.takeMail() { letter() }
    }

    /// Waits in real time for work from outside, because no event is left.
    private func waitForMail() -> Bool {
        segue_time_enter(nil)
        let came = outside.waitForMail(patience: options.patience)
        if !came {
            finish(.failure(VirtualTimeError.stuck(after: elapsed, waits: waits.descriptions)))
        }
        segue_time_enter(clocks)
        return came
    }

    /// Handles the end of the body.
    ///
    /// Ready work still runs, so that canceled tasks end.
    func bodyEnded(_ result: Result<Void, any Error>) {
        bodyResult = result
        steps = min(steps, VirtualRun.mostSteps - VirtualRun.mostStepsAtEnd)
    }

    /// Ends the run after its body, or because of an error.
    func finish(_ result: Result<Void, any Error>) {
        guard outside.isEnding() else { return }
        VirtualRun.active.withLock { if $0 === self { $0 = nil } }
        let wasEntered = segue_time_entered()
        segue_time_enter(nil)
        let places = outside.escapes.map(\.text)
        if case .success = result, !places.isEmpty, options.escapes == .reported {
            end(.failure(VirtualTimeError.escaped(places)))
        } else {
            end(result)
        }
        segue_time_enter(wasEntered)
        for spare in spares { spare.goOn() }
    }

    private final class Flag { var isSet = false }
}
