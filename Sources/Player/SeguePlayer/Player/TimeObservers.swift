internal import SegueBase
internal import SeguePlayerModel
internal import SegueTime

/// The observers of the playhead.
@MainActor final class TimeObservers {
    private final class Observer {
        let next: (Duration) -> Duration?
        let tell: (Duration) -> Void
        /// True if it is called when playback begins or ends, and when the playhead jumps.
        let hearsChanges: Bool
        var token: EventToken?
        var isGone = false

        init(next: @escaping (Duration) -> Duration?, hearsChanges: Bool, tell: @escaping (Duration) -> Void) {
            (self.next, self.hearsChanges, self.tell) = (next, hearsChanges, tell)
        }
    }

    private let engine: PlayerEngine
    private let schedule: VirtualSchedule
    private var observers: [Observer] = []

    init(_ engine: PlayerEngine, _ schedule: VirtualSchedule) { (self.engine, self.schedule) = (engine, schedule) }

    var number: Int { observers.count }

    /// Adds an observer of each multiple of an interval, and of changes between.
    func add(every interval: Duration, _ tell: @escaping (Duration) -> Void) -> Observation {
        let interval = max(interval, .milliseconds(1))
        return add(Observer(next: { interval * Double(Int64($0 / interval) + 1) }, hearsChanges: true, tell: tell))
    }

    /// Adds an observer of times that the playhead passes.
    func add(at times: [Duration], _ tell: @escaping () -> Void) -> Observation {
        let times = times.sorted()
        return add(
            Observer(next: { place in times.first { $0 > place } }, hearsChanges: false, tell: { _ in tell() })
        )
    }

    private func add(_ observer: Observer) -> Observation {
        observers.append(observer)
        plan(observer)
        return Observation { [weak self] in
            observer.isGone = true
            self?.observers.removeAll { $0 === observer }
            if let token = observer.token { self?.schedule.cancel(token) }
        }
    }

    /// Handles the start or end of playback, or a jump of the playhead.
    func change() {
        for observer in observers where !observer.isGone {
            if observer.hearsChanges { observer.tell(engine.position) }
            plan(observer)
        }
    }

    private func plan(_ observer: Observer) {
        if let token = observer.token { schedule.cancel(token) }
        observer.token = nil
        guard !observer.isGone, let target = observer.next(engine.position), let at = engine.instant(whenAt: target)
        else { return }
        observer.token = schedule.onMain(after: at - engine.now) { [weak self] in
            guard let self, !observer.isGone else { return }
            observer.token = nil
            // If the playhead was delayed, the observer is called when it arrives.
            if engine.position >= target { observer.tell(engine.position) }
            plan(observer)
        }
    }
}
