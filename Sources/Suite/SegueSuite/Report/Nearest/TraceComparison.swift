package import SeguePlayerModel

/// The ways of a failing and a passing run, and the place at which they part.
package struct TraceComparison: Sendable {
    /// The transitions of one actor before the parting.
    package struct Way: Sendable, Equatable {
        package let actor: Transition.Actor
        /// The number of distinct transitions that both runs took.
        package let shared: Int
        /// The transitions that only the failing run took.
        package let onlyFailing: [String]
        /// The transitions that only the passing run took.
        package let onlyPassing: [String]

        package var isSame: Bool { onlyFailing.isEmpty && onlyPassing.isEmpty }

        fileprivate init(_ actor: Transition.Actor, failing: Set<Transition>, passing: Set<Transition>) {
            let (one, other) = (failing.filter { $0.actor == actor }, passing.filter { $0.actor == actor })
            self.actor = actor
            shared = one.intersection(other).count
            onlyFailing = one.subtracting(other).map(\.description).sorted()
            onlyPassing = other.subtracting(one).map(\.description).sorted()
        }
    }

    /// A step of either run, with its times in seconds; nil where it does not occur.
    package struct Moment: Sendable, Equatable {
        package let transition: Transition
        package let item: String?
        package var failing: Double?
        package var passing: Double?
    }

    /// The ways of all actors, up to the parting.
    package let ways: [Way]
    /// The step with which the failing run leaves the way of the passing one; nil if it does not.
    package let parting: Moment?
    /// The last act of the app or its user before the parting that both runs have in common.
    ///
    /// Times count from it.
    package let origin: Moment?
    /// The first step of the item that the passing run was in time for.
    package let missed: Moment?

    let failing: TransitionTrace
    let passing: TransitionTrace

    /// Compares two runs.
    ///
    /// - Parameter finding: The finding of the failing run that has a time, if any.
    init(failing: TransitionTrace, passing: TransitionTrace, finding: Finding?) {
        (self.failing, self.passing) = (failing, passing)
        let search = PartingSearch(failing: KeyedTrace(failing), passing: KeyedTrace(passing))
        guard let index = search.parting(finding) else {
            ways = Self.ways(search, failing: failing.steps.count, passing: passing.steps.count)
            (parting, origin, missed) = (nil, nil, nil)
            return
        }
        let start = search.origin(of: index)
        let answer = search.answer(to: index, after: start)
        let limit = answer.map { passing.steps[$0].at } ?? search.time(of: index, after: start)
        let late = search.missed(of: index, until: limit)
        parting = Moment(search.failing.keys[index], search)
        origin = start.map { Moment(search.failing.keys[$0], search) }
        missed = late.map { Moment(search.passing.keys[$0], search) }
        let end = passing.steps.firstIndex { $0.at > limit } ?? passing.steps.count
        ways = Self.ways(search, failing: index, passing: [late, answer].compactMap(\.self).reduce(end, min))
    }

    /// The ways of both runs up to a step of each.
    private static func ways(_ search: PartingSearch, failing: Int, passing: Int) -> [Way] {
        let (one, other) = (search.failing.transitions(before: failing), search.passing.transitions(before: passing))
        return Transition.Actor.allCases.map { Way($0, failing: one, passing: other) }
    }
}

extension TraceComparison.Moment {
    fileprivate init(_ key: KeyedTrace.Key, _ search: PartingSearch) {
        self.init(
            transition: key.transition,
            item: key.item,
            failing: search.failing.time(of: key),
            passing: search.passing.time(of: key)
        )
    }
}
