internal import SeguePlayerModel

/// A trace whose steps can be found in another one.
struct KeyedTrace {
    /// The identity of a step: its transition, its item, and its number among those with both.
    struct Key: Hashable {
        let transition: Transition
        let item: String?
        var number = 0
    }

    let trace: TransitionTrace
    let keys: [Key]
    private let places: [Key: Int]

    init(_ trace: TransitionTrace) {
        var counts: [Key: Int] = [:]
        let keys = trace.steps.map { step in
            var key = Key(transition: trace.transition(of: step), item: step.item)
            counts[key, default: 0] += 1
            key.number = counts[key] ?? 1
            return key
        }
        (self.trace, self.keys) = (trace, keys)
        places = Dictionary(keys.enumerated().map { ($1, $0) }) { first, _ in first }
    }

    func time(at index: Int) -> Double { trace.steps[index].at }

    /// The index of the same step; nil if the run did not take it.
    func place(of key: Key) -> Int? { places[key] }

    /// The time of the same step; nil if the run did not take it.
    func time(of key: Key) -> Double? { places[key].map(time(at:)) }

    /// The distinct transitions of the first steps.
    func transitions(before end: Int) -> Set<Transition> { Set(keys[..<end].lazy.map(\.transition)) }
}
