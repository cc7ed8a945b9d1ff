public import Foundation
internal import SegueBase

/// `Timer` in virtual time, and Foundation's own outside of it.
///
/// Foundation's timers belong to run loops, which wait in real time. Code that is to use these by the name `Timer` has
/// `typealias Timer = VirtualTimer` somewhere in its module.
public final class VirtualTimer: @unchecked Sendable {
    /// The time between two calls, in seconds; 0 for a timer that fires once.
    public let timeInterval: TimeInterval

    /// How late it may fire, in seconds; in virtual time it is never late.
    public var tolerance: TimeInterval = 0

    /// What the caller keeps with it.
    public let userInfo: Any?

    /// When it fires next.
    public private(set) var fireDate: Date

    /// Whether it will fire.
    public private(set) var isValid = true

    private let repeats: Bool
    private let block: (VirtualTimer) -> Void
    private var planned: EventToken?
    private var run: VirtualRun?
    private var ordinary: Timer?

    /// A timer that fires at a date, and every interval from then on where it repeats, once it was added to a run loop.
    ///
    /// - Parameters:
    ///   - date: When it fires first.
    ///   - interval: The time between two calls, in seconds: a tenth of a millisecond at the least.
    ///   - repeats: Whether it fires more than once.
    ///   - userInfo: What the caller keeps with it.
    ///   - block: What it calls, on the main queue in virtual time.
    public init(
        fire date: Date,
        interval: TimeInterval,
        repeats: Bool,
        userInfo: Any? = nil,
        block: @escaping (VirtualTimer) -> Void
    ) {
        // As Foundation: no shorter than a tenth of a millisecond.
        timeInterval = repeats ? max(interval, 0.0001) : 0
        (fireDate, self.repeats, self.userInfo, self.block) = (date, repeats, userInfo, block)
    }

    /// A timer that fires after an interval, once it was added to a run loop.
    ///
    /// - Parameters:
    ///   - timeInterval: The time from now, and between two calls, in seconds: a tenth of a millisecond at the least.
    ///   - repeats: Whether it fires more than once.
    ///   - block: What it calls, on the main queue in virtual time.
    public convenience init(timeInterval: TimeInterval, repeats: Bool, block: @escaping (VirtualTimer) -> Void) {
        let date = Date(timeIntervalSinceNow: max(timeInterval, 0.0001))
        self.init(fire: date, interval: timeInterval, repeats: repeats, block: block)
    }

    /// A timer on the run loop of the caller.
    ///
    /// - Parameters:
    ///   - interval: The time from now, and between two calls, in seconds: a tenth of a millisecond at the least.
    ///   - repeats: Whether it fires more than once.
    ///   - block: What it calls, on the main queue in virtual time.
    /// - Returns: The timer.
    @discardableResult
    public static func scheduledTimer(
        withTimeInterval interval: TimeInterval,
        repeats: Bool,
        block: @escaping (VirtualTimer) -> Void
    ) -> VirtualTimer {
        let timer = VirtualTimer(timeInterval: interval, repeats: repeats, block: block)
        VirtualRunLoop.current.add(timer, forMode: .default)
        return timer
    }

    /// Calls the block now; one that does not repeat is over then.
    public func fire() {
        guard isValid else { return }
        if !repeats { invalidate() }
        block(self)
    }

    /// Has it never fire again.
    public func invalidate() {
        isValid = false
        if let planned { run?.cancel(planned) }
        ordinary?.invalidate()
        (planned, run, ordinary) = (nil, nil, nil)
    }

    /// Begins, on the main queue's lane: timers of apps belong to the main run loop.
    func begin(in run: VirtualRun) {
        guard isValid, planned == nil else { return }
        self.run = run
        let delay = Duration(reckonedNanoseconds: (fireDate.timeIntervalSinceNow * 1e9).rounded())
        planned = run.enqueue(on: run.mainLane, after: delay) { [self] in
            planned = nil
            guard isValid else { return }
            if repeats {
                fireDate += timeInterval
                begin(in: run)
            } else {
                invalidate()
            }
            block(self)
        }
    }

    /// Begins in real time.
    func begin(in loop: RunLoop, forMode mode: RunLoop.Mode) {
        guard isValid, ordinary == nil else { return }
        let timer = Timer(fire: fireDate, interval: timeInterval, repeats: repeats) { [self] timer in
            fireDate = timer.fireDate
            if !repeats { invalidate() }
            block(self)
        }
        ordinary = timer
        loop.add(timer, forMode: mode)
    }
}

/// `RunLoop` in virtual time, and Foundation's own outside of it; to be used as `RunLoop` by
/// `typealias RunLoop = VirtualRunLoop` in a module.
public struct VirtualRunLoop: Sendable {
    /// The modes are Foundation's; in virtual time there is one.
    public typealias Mode = RunLoop.Mode

    private let isMain: Bool

    /// The main thread's.
    public static let main = VirtualRunLoop(isMain: true)

    /// The caller's.
    public static var current: VirtualRunLoop { VirtualRunLoop(isMain: false) }

    private var ordinary: RunLoop { isMain ? .main : .current }

    /// Has a timer fire.
    ///
    /// - Parameters:
    ///   - timer: The timer.
    ///   - mode: The mode of Foundation's run loop; in virtual time it has no meaning.
    public func add(_ timer: VirtualTimer, forMode mode: Mode) {
        if let run = VirtualRun.current { return timer.begin(in: run) }
        timer.begin(in: ordinary, forMode: mode)
    }

    /// Does something on the main queue's lane, or on Foundation's run loop.
    ///
    /// - Parameter block: What is done.
    public func perform(_ block: @escaping @Sendable () -> Void) {
        if let run = VirtualRun.current { return run.enqueue(on: run.mainLane, block) }
        ordinary.perform(block)
    }

    /// Goes on until a date; what comes meanwhile is done.
    ///
    /// - Parameter limit: The date.
    public func run(until limit: Date) {
        guard let run = VirtualRun.current else { return ordinary.run(until: limit) }
        let delay = Duration(reckonedNanoseconds: (limit.timeIntervalSinceNow * 1e9).rounded())
        run.yield(for: "time", until: { false }, atMost: delay)
    }

    /// Goes on until a date, or until something was done; in virtual time until the date.
    ///
    /// - Parameters:
    ///   - mode: The mode of Foundation's run loop; in virtual time it has no meaning.
    ///   - limit: The date.
    /// - Returns: Whether it went on at all, which in virtual time it always does.
    @discardableResult
    public func run(mode: Mode, before limit: Date) -> Bool {
        guard VirtualRun.current != nil else { return ordinary.run(mode: mode, before: limit) }
        run(until: limit)
        return true
    }
}
