internal import DequeModule
internal import Timeline

/// What is to be done at the present instant.
///
/// Without a seed the first that came is first. With one, chance chooses among the lanes that have something to do, and
/// among all that has no lane; what is on one lane keeps its order.
struct ReadyWork {
    private var waiting = Deque<Work>()
    private var chance: SeededRandom?

    /// Nothing to do.
    ///
    /// - Parameter seed: What chance goes by; 0 leaves nothing to chance.
    init(seed: UInt64) { chance = seed == 0 ? nil : SeededRandom(seed: seed) }

    var isEmpty: Bool { waiting.isEmpty }

    /// Whether something waits for a lane.
    func contains(_ lane: Lane) -> Bool { waiting.contains { $0.lane === lane } }

    mutating func append(_ work: Work) { waiting.append(work) }

    /// Takes out what is done next; nil where all that there is waits for lanes that are held.
    mutating func next() -> Work? {
        guard chance != nil else {
            if let first = waiting.first, first.lane?.isHeld != true { return waiting.removeFirst() }
            return waiting.firstIndex { $0.lane?.isHeld != true }.map { waiting.remove(at: $0) }
        }
        let choices = self.choices
        guard !choices.isEmpty else { return nil }
        let place = choices.count == 1 ? 0 : Int.random(in: 0..<choices.count, using: &chance!)
        return waiting.remove(at: choices[place])
    }

    /// The places of what may be done now: all without a lane, and the first of each lane.
    private var choices: [Int] {
        var seen: Set<ObjectIdentifier> = []
        return waiting.indices.filter { index in
            guard let lane = waiting[index].lane else { return true }
            return !lane.isHeld && seen.insert(ObjectIdentifier(lane)).inserted
        }
    }
}
