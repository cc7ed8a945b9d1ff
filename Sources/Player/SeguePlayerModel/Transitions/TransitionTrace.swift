/// The transitions that a run went through, with their times.
package struct TransitionTrace: Sendable, Equatable {
    /// A transition at a time.
    package struct Step: Sendable, Equatable {
        /// The time in seconds since the run began, with the precision of a log.
        package let at: Double
        /// The index in ``TransitionTrace/transitions``.
        package let transition: Int
        /// The item that it concerns, if any.
        package let item: String?
    }

    /// The maximum number of distinct transitions.
    ///
    /// Further ones are omitted.
    package static let mostTransitions = 2000

    /// The maximum number of steps.
    ///
    /// Further transitions are counted, without their times.
    package static let mostSteps = 4000

    /// The distinct transitions, in the order in which they first occurred.
    package private(set) var transitions: [Transition] = []
    /// The number of times that each transition occurred.
    package private(set) var counts: [Int] = []
    /// The steps, in order of time.
    package private(set) var steps: [Step] = []

    private var places: [Transition: Int] = [:]

    package init() {}

    package mutating func add(_ transition: Transition, at: Double, item: String?) {
        let place = places[transition] ?? transitions.count
        if place == transitions.count {
            guard place < Self.mostTransitions else { return }
            places[transition] = place
            transitions.append(transition)
            counts.append(0)
        }
        counts[place] += 1
        guard steps.count < Self.mostSteps else { return }
        steps.append(Step(at: (at * 1e6).rounded() / 1e6, transition: place, item: item))
    }

    package func transition(of step: Step) -> Transition { transitions[step.transition] }

    /// The number of times that each transition occurred, by actor and by the transition in words.
    package var countsByActor: [String: [String: Int]] {
        var counts: [String: [String: Int]] = [:]
        for (transition, count) in zip(transitions, self.counts) {
            counts[transition.actor.rawValue, default: [:]][transition.description, default: 0] += count
        }
        return counts
    }

    package static func == (one: TransitionTrace, other: TransitionTrace) -> Bool {
        one.transitions == other.transitions && one.counts == other.counts && one.steps == other.steps
    }
}

extension TransitionTrace: Codable {
    private enum Key: String, CodingKey { case transitions, counts, steps }

    package init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: Key.self)
        transitions = try fields.decode([Transition].self, forKey: .transitions)
        counts = try fields.decode([Int].self, forKey: .counts)
        steps = try fields.decode([Step].self, forKey: .steps)
        guard counts.count == transitions.count, steps.allSatisfy({ transitions.indices.contains($0.transition) })
        else {
            throw DecodingError.dataCorruptedError(
                forKey: .steps,
                in: fields,
                debugDescription: "a step or count without its transition"
            )
        }
        places = Dictionary(transitions.enumerated().map { ($1, $0) }) { first, _ in first }
    }

    package func encode(to encoder: any Encoder) throws {
        var fields = encoder.container(keyedBy: Key.self)
        try fields.encode(transitions, forKey: .transitions)
        try fields.encode(counts, forKey: .counts)
        try fields.encode(steps, forKey: .steps)
    }
}

/// A list of the values, since a long run has thousands of steps.
extension TransitionTrace.Step: Codable {
    package init(from decoder: any Decoder) throws {
        var values = try decoder.unkeyedContainer()
        at = try values.decode(Double.self)
        transition = try values.decode(Int.self)
        item = values.isAtEnd ? nil : try values.decode(String.self)
    }

    package func encode(to encoder: any Encoder) throws {
        var values = encoder.unkeyedContainer()
        try values.encode(at)
        try values.encode(transition)
        if let item { try values.encode(item) }
    }
}
