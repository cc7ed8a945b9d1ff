internal import SegueBase
internal import SegueTime

/// The app's own expectations, checked over time, and the number of observers of its player.
@MainActor final class Expectations {
    private struct Expectation {
        let name: String
        let limit: Duration
        let holds: () -> Bool
        /// The instant since which it is false; nil while it is true.
        var since: Instant?
    }

    /// The increase in the number of observers, since audio was first heard, that is a leak.
    private static let mostAdded = 6
    private static let period = Duration.milliseconds(500)

    private let schedule: VirtualSchedule
    private let observers: () -> Int
    private var all: [Expectation] = []
    private var atFirst: Int?
    private var found: [BrokenRule] = []

    init(_ schedule: VirtualSchedule, observers: @escaping () -> Int) {
        (self.schedule, self.observers) = (schedule, observers)
    }

    /// The violations so far, in order of detection, each once.
    var broken: [BrokenRule] {
        look()
        return found
    }

    func add(_ name: String, within limit: Duration, _ holds: @escaping () -> Bool) {
        if all.isEmpty { plan() }
        all.append(Expectation(name: name, limit: max(.zero, limit), holds: holds))
    }

    /// Handles the start of audio, for the first time or again.
    func soundBegan() { if atFirst == nil { atFirst = observers() } }

    /// Checks all expectations.
    func look() {
        let now = schedule.now
        for index in all.indices {
            guard !all[index].holds() else {
                all[index].since = nil
                continue
            }
            let since = all[index].since ?? now
            all[index].since = since
            guard now - since >= all[index].limit else { continue }
            find(all[index].name, "it has been false since \(since.seconds) s")
        }
        let number = observers()
        if let atFirst, number >= atFirst + Self.mostAdded {
            let before = "\(atFirst) when audio first played"
            find("leak", "the player and the device have \(number) observers, up from \(before)")
        }
    }

    private func find(_ rule: String, _ message: String) {
        guard !found.contains(where: { $0.rule == rule }) else { return }
        found.append(BrokenRule(rule, message, at: schedule.now))
    }

    private func plan() {
        _ = schedule.onMain(after: Self.period) { [weak self] in
            self?.look()
            self?.plan()
        }
    }
}
