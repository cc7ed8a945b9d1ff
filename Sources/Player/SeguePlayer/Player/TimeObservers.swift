internal import SegueBase
internal import SeguePlayerModel
internal import SegueTime

/// Those who are told as the playhead moves.
@MainActor final class TimeObservers {
    /// One of them.
    private final class Observer {
        let next: (Duration) -> Duration?
        let tell: (Duration) -> Void
        /// Whether it is told when playing begins or ends, and when the playhead jumps.
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

    /// How many there are.
    var number: Int { observers.count }

    /// Tells of each multiple of an interval, and of what changes between.
    func add(every interval: Duration, _ tell: @escaping (Duration) -> Void) -> Observation {
        let interval = max(interval, .milliseconds(1))
        return add(Observer(next: { interval * Double(Int64($0 / interval) + 1) }, hearsChanges: true, tell: tell))
    }

    /// Tells when the playhead comes by one of some times.
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

    /// Playing has begun or ended, or the playhead has jumped.
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
        observer.token = schedule.tell(after: at - engine.now) { [weak self] in
            guard let self, !observer.isGone else { return }
            observer.token = nil
            // Where something else has held the playhead up since, it is told when that is there.
            if engine.position >= target { observer.tell(engine.position) }
            plan(observer)
        }
    }
}
