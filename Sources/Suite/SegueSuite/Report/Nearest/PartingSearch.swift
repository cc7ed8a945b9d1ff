internal import SegueComparison
internal import SeguePlayerModel

/// Finds the place at which a failing run leaves the way of a passing one.
struct PartingSearch {
    let failing: KeyedTrace
    let passing: KeyedTrace

    /// Two events at one instant may differ by the rounding of a log.
    private static let slack = 0.0005

    /// The step of the failing run that leads to its finding and that the passing run did not take.
    ///
    /// Without one, the step before which the failing run lost the most time.
    func parting(_ finding: Finding?) -> Int? {
        guard let time = finding?.at else {
            return finding?.evidence.place?.phase == "background" ? inBackground() : latest(until: .infinity)
        }
        let limit = time + Self.slack
        let own = failing.keys.indices.filter { index in
            failing.time(at: index) <= limit && passing.place(of: failing.keys[index]) == nil
        }
        guard let last = own.last else { return latest(until: limit) }
        let event = finding?.evidence.place?.event
        let found = own.first { index in
            abs(failing.time(at: index) - time) <= Self.slack && failing.keys[index].transition.event == event
        }
        return found ?? own.first { failing.time(at: $0) >= failing.time(at: last) - Self.slack }
    }

    /// The first step since the app left the foreground that the passing run did not take, preferably of app or platform.
    private func inBackground() -> Int? {
        let start = failing.keys.firstIndex { $0.transition.machine == .lifeCycle } ?? 0
        let own = failing.keys.indices[start...].filter { passing.place(of: failing.keys[$0]) == nil }
        return own.first { failing.keys[$0].transition.actor != .player } ?? own.first ?? latest(until: .infinity)
    }

    /// The common step before which the failing run lost the most time.
    private func latest(until limit: Double) -> Int? {
        var worst: Int?
        var (most, before) = (Self.slack, 0.0)
        for (index, key) in failing.keys.enumerated() where failing.time(at: index) <= limit {
            guard let time = passing.time(of: key) else { continue }
            let late = failing.time(at: index) - time
            if late - before > most { (worst, most) = (index, late - before) }
            before = late
        }
        return worst
    }

    /// The last common act before a step: preferably a call for its item.
    func origin(of index: Int) -> Int? {
        let acts = (0..<index).reversed().filter { place in
            let machines: [Transition.Machine] = [.calls, .controls, .policy, .lifeCycle]
            let key = failing.keys[place]
            return machines.contains(key.transition.machine) && passing.place(of: key) != nil
        }
        let item = failing.keys[index].item
        let call = acts.first { place in
            let key = failing.keys[place]
            return [.calls, .controls].contains(key.transition.machine) && item != nil && key.item == item
        }
        return call ?? acts.first
    }

    /// The step of the passing run that takes the place of a step of the failing one: the next one of the same machine and
    /// item after the origin.
    func answer(to index: Int, after origin: Int?) -> Int? {
        let start = origin.flatMap { passing.place(of: failing.keys[$0]) } ?? -1
        let key = failing.keys[index]
        return passing.keys.indices.first { place in
            let other = passing.keys[place]
            return place > start && other.transition.machine == key.transition.machine && other.item == key.item
        }
    }

    /// The time in the passing run that corresponds to a step of the failing one.
    func time(of index: Int, after origin: Int?) -> Double {
        guard let origin, let start = passing.time(of: failing.keys[origin]) else { return failing.time(at: index) }
        return start + (failing.time(at: index) - failing.time(at: origin))
    }

    /// The first step of the item that the passing run took until a time, and the failing one not until its parting.
    func missed(of index: Int, until limit: Double) -> Int? {
        guard let item = failing.keys[index].item else { return nil }
        return passing.keys.indices.first { place in
            let key = passing.keys[place]
            guard key.transition.machine == .item, key.item == item, passing.time(at: place) <= limit else {
                return false
            }
            return failing.place(of: key).map { $0 > index } ?? true
        }
    }
}
