internal import CSegueTime
internal import SegueBase
internal import Synchronization

/// A run of virtual time: one heap of what is to happen, by time and then by the order in which it was asked for.
///
/// Its threads hand the run on to each other: one goes on, and all others rest. So what is here needs no lock, but for the
/// mail from outside.
final class VirtualRun: @unchecked Sendable {
    /// The work by lane; see ``ReadyWork``.
    private var ready: ReadyWork
    private var later = EventQueue<Work>()
    private var settled: [() -> Void] = []
    private var waits = Waits()
    /// The lanes of queues; each queue is kept, so that no other comes to lie where it lay.
    private var lanes: [UnsafeMutableRawPointer: Lane] = [:]
    /// The lane of the main queue, and of the main actor.
    let mainLane = Lane("the main queue")
    private let clocks = UnsafeMutablePointer<segue_time_clocks>.allocate(capacity: 1)

    /// The timers that are sources of libdispatch.
    private(set) lazy var sourceTimers = SourceTimers(of: self)

    private var holder: VirtualThread?
    private var spares: [VirtualThread] = []

    /// What came from outside; and what the watch and other threads look at.
    let outside = Outside()

    private let options: VirtualTimeOptions
    private let end: @Sendable (Result<Void, any Error>) -> Void

    /// How much has happened at the present instant.
    private var steps = 0
    private static let mostSteps = 1_000_000
    private static let mostStepsAtEnd = 10_000

    /// What the body came to; nil before its end.
    private var bodyResult: Result<Void, any Error>?
    private static let beginning = Int64(1_000_000_000_000)

    /// A run that has not begun.
    ///
    /// - Parameters:
    ///   - options: How it runs.
    ///   - end: Is told once how it ended, on whatever thread.
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

    // MARK: Whose run

    /// The run that the caller's thread belongs to; nil outside virtual time.
    static var current: VirtualRun? {
        guard let run = segue_time_entered()?.pointee.run else { return nil }
        return Unmanaged<VirtualRun>.fromOpaque(run).takeUnretainedValue()
    }

    /// The run that is under way in the process; nil between two.
    static var underWay: VirtualRun? {
        get { active.withLock { $0 } }
        set { active.withLock { $0 = newValue } }
    }

    private static let active = Mutex<VirtualRun?>(nil)

    /// The run that a job belongs to: that of the thread that enqueues it, or for a thread outside, of its task.
    static func takes(_ job: UnownedJob) -> VirtualRun? {
        if let run = current {
            run.outside.learn(ReplacedExecutors.task(of: job))
            return run
        }
        guard let run = underWay, run.outside.knows(ReplacedExecutors.task(of: job)) else { return nil }
        return run
    }

    /// Has what a caller creates belong to this run, before it goes on.
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

    /// Whether anything is ready to be done.
    var hasWork: Bool { !ready.isEmpty }

    /// Goes on until the body has ended.
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

    /// How long the run has gone on, in virtual time.
    var elapsed: Duration { .nanoseconds(clocks.pointee.uptime - VirtualRun.beginning) }

    /// The steady clock's time at the beginning.
    let began = Instant(nanoseconds: VirtualRun.beginning)

    /// When the next thing is to happen, by the steady clock; nil for nothing.
    var nextInstant: Instant? { settled.isEmpty ? later.nextInstant : now }

    /// The present instant, by the steady clock.
    var now: Instant { Instant(nanoseconds: clocks.pointee.uptime) }

    // MARK: What is to be done

    /// Does something now, on a lane or as something of its own; from outside as soon as the run looks.
    func enqueue(on lane: Lane? = nil, asBarrier: Bool = false, _ body: @escaping () -> Void) {
        let work = Work(turn: lane?.turn(asBarrier: asBarrier), deed: .call(body))
        guard VirtualRun.current === self else {
            return outside.post(CallPlace()) { [unowned self] in ready.append(work) }
        }
        ready.append(work)
    }

    /// Does something later.
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

    /// Takes back what was to be done later.
    func cancel(_ token: EventToken) { later.cancel(token) }

    /// Does something once nothing is left to do at this instant.
    func whenSettled(_ body: @escaping () -> Void) { settled.append(body) }

    /// The lane of a queue; nil for a global one, which knows no barriers.
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

    /// Whether something of a queue is in hand on the caller's thread, or a barrier of it.
    func isOn(_ queue: UnsafeMutableRawPointer, asBarrier: Bool) -> Bool {
        guard let lane = lane(of: queue) else { return true }
        return holder?.turns.contains { $0.lane === lane && ($0.isBarrier || !asBarrier) } ?? false
    }

    // MARK: Blocking

    /// Does something on a lane while the caller waits.
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

    /// Keeps the caller's thread until something is so, while the run goes on with all else.
    ///
    /// - Parameters:
    ///   - what: What is waited for, for reports.
    ///   - object: What threads outside may signal; nil for nothing of theirs.
    ///   - isOver: Whether it is so; asked when ``signalled()`` says that it may be, and not again once it was.
    ///   - limit: How long at the most; nil for ever.
    /// - Returns: Whether it came to be so.
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

    /// As ``wait(for:until:atMost:)``, but what is on the caller's lanes is done meanwhile, as by a run loop within another.
    func yield(for what: String, until isOver: @escaping () -> Bool, atMost limit: Duration) {
        guard !isOver() else { return }
        let turns = holder?.turns ?? []
        for turn in turns { turn.end() }
        _ = wait(for: what, until: isOver, atMost: max(.zero, limit))
        for turn in turns { turn.begin() }
    }

    /// Does something once something else is so.
    func notify(of object: UnsafeMutableRawPointer, when isOver: @escaping () -> Bool, _ body: @escaping () -> Void) {
        guard !isOver() else { return body() }
        waits.add(Waits.Wait(what: "a group's end", object: object, place: CallPlace(), isOver: isOver, then: body))
        outside.await(waits.objects)
    }

    /// Something may be so that is waited for.
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
            // What waited for nothing that will be has nothing to go on to.
            while true { thread.rest() }
        }
        holder = thread
        outside.watched(thread)
    }

    // MARK: Going on

    /// Goes on with the run, on a thread that holds it.
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

    /// Another thread goes on, and this one rests until it is needed.
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

    /// The thread ends, and the run with it.
    private func leave(_ result: Result<Void, any Error>) {
        finish(result)
        segue_time_enter(nil)
    }

    // MARK: The world outside

    private func takeMail() {
        guard outside.hasMail else { return }
        for letter in outside.takeMail() { letter() }
    }

    /// Waits in real time, as nothing is left to happen but for what may come from outside.
    private func waitForMail() -> Bool {
        segue_time_enter(nil)
        let came = outside.waitForMail(patience: options.patience)
        if !came {
            finish(.failure(VirtualTimeError.stuck(after: elapsed, waits: waits.descriptions)))
        }
        segue_time_enter(clocks)
        return came
    }

    /// The body has ended: what is ready still is done, so that tasks that were cancelled come to their end.
    func bodyEnded(_ result: Result<Void, any Error>) {
        bodyResult = result
        steps = min(steps, VirtualRun.mostSteps - VirtualRun.mostStepsAtEnd)
    }

    /// The body has ended, or the run has to.
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
