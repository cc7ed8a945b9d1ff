public import Foundation
internal import SegueBase

/// A `Timer` in virtual time, and Foundation's own outside of it.
///
/// Foundation's timers belong to run loops, which wait in real time. Code that uses these timers under the name `Timer`
/// declares `typealias Timer = VirtualTimer` in its module.
public final class VirtualTimer: @unchecked Sendable {
    /// The interval in seconds; 0 for a timer that fires once.
    public let timeInterval: TimeInterval

    /// The maximum delay in seconds.
    ///
    /// In virtual time, timers are never late.
    public var tolerance: TimeInterval = 0

    /// An object of the caller.
    public let userInfo: Any?

    /// The next firing.
    public private(set) var fireDate: Date

    /// True if the timer can still fire.
    public private(set) var isValid = true

    private let repeats: Bool
    private let block: (VirtualTimer) -> Void
    private var planned: EventToken?
    private var run: VirtualRun?
    private var ordinary: Timer?

    /// Creates a timer that fires at a date, and then at each interval if it repeats, once it is added to a run loop.
    ///
    /// - Parameters:
    ///   - interval: The interval in seconds, at least a tenth of a millisecond.
    ///   - repeats: True if it fires more than once.
    ///   - userInfo: An object of the caller.
    ///   - block: The block to call, on the main queue in virtual time.
    public init(
        fire date: Date,
        interval: TimeInterval,
        repeats: Bool,
        userInfo: Any? = nil,
        block: @escaping (VirtualTimer) -> Void
    ) {
        // Foundation has the same minimum, a tenth of a millisecond.
        timeInterval = repeats ? max(interval, 0.0001) : 0
        (fireDate, self.repeats, self.userInfo, self.block) = (date, repeats, userInfo, block)
    }

    /// Creates a timer that fires after an interval, once it is added to a run loop.
    ///
    /// - Parameters:
    ///   - timeInterval: The time from now, and between firings, in seconds, at least a tenth of a millisecond.
    ///   - repeats: True if it fires more than once.
    ///   - block: The block to call, on the main queue in virtual time.
    public convenience init(timeInterval: TimeInterval, repeats: Bool, block: @escaping (VirtualTimer) -> Void) {
        let date = Date(timeIntervalSinceNow: max(timeInterval, 0.0001))
        self.init(fire: date, interval: timeInterval, repeats: repeats, block: block)
    }

    /// Creates a timer on the caller's run loop.
    ///
    /// - Parameters:
    ///   - interval: The time from now, and between firings, in seconds, at least a tenth of a millisecond.
    ///   - repeats: True if it fires more than once.
    ///   - block: The block to call, on the main queue in virtual time.
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

    /// Calls the block now.
    ///
    /// A timer that does not repeat becomes invalid.
    public func fire() {
        guard isValid else { return }
        if !repeats { invalidate() }
        block(self)
    }

    /// Stops the timer permanently.
    public func invalidate() {
        isValid = false
        if let planned { run?.cancel(planned) }
        ordinary?.invalidate()
        (planned, run, ordinary) = (nil, nil, nil)
    }

    /// Begins on the lane of the main queue, because apps' timers belong to the main run loop.
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

/// A `RunLoop` in virtual time, and Foundation's own outside of it.
///
/// Code uses it under the name `RunLoop` with `typealias RunLoop = VirtualRunLoop`.
public struct VirtualRunLoop: Sendable {
    /// Foundation's modes, which have no effect in virtual time.
    public typealias Mode = RunLoop.Mode

    private let isMain: Bool

    /// The main run loop.
    public static let main = VirtualRunLoop(isMain: true)

    /// The caller's run loop.
    public static var current: VirtualRunLoop { VirtualRunLoop(isMain: false) }

    private var ordinary: RunLoop { isMain ? .main : .current }

    /// Adds a timer.
    ///
    /// - Parameters:
    ///   - mode: The mode of Foundation's run loop, which has no effect in virtual time.
    public func add(_ timer: VirtualTimer, forMode mode: Mode) {
        if let run = VirtualRun.current { return timer.begin(in: run) }
        timer.begin(in: ordinary, forMode: mode)
    }

    /// Runs a block on the lane of the main queue, or on Foundation's run loop.
    public func perform(_ block: @escaping @Sendable () -> Void) {
        if let run = VirtualRun.current { return run.enqueue(on: run.mainLane, block) }
        ordinary.perform(block)
    }

    /// Runs until a date, handling events meanwhile.
    public func run(until limit: Date) {
        guard let run = VirtualRun.current else { return ordinary.run(until: limit) }
        let delay = Duration(reckonedNanoseconds: (limit.timeIntervalSinceNow * 1e9).rounded())
        run.yield(for: "time", until: { false }, atMost: delay)
    }

    /// Runs until a date, or until an event was handled; in virtual time, until the date.
    ///
    /// - Parameters:
    ///   - mode: The mode of Foundation's run loop, which has no effect in virtual time.
    /// - Returns: True if it ran, which is always true in virtual time.
    @discardableResult
    public func run(mode: Mode, before limit: Date) -> Bool {
        guard VirtualRun.current != nil else { return ordinary.run(mode: mode, before: limit) }
        run(until: limit)
        return true
    }
}
