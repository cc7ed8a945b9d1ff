internal import DequeModule
internal import SegueBase

/// What is to be done at the present instant.
///
/// Without a seed the first that came is first. With one, chance chooses among the lanes that have something to do, and
/// among all that has no lane or lies between two barriers of its lane; all else on one lane keeps its order.
struct ReadyWork {
    private var waiting = Deque<Work>()
    private var chance: SeededRandom?

    /// Nothing to do.
    ///
    /// - Parameter seed: What chance goes by; 0 leaves nothing to chance.
    init(seed: UInt64) { chance = seed == 0 ? nil : SeededRandom(seed: seed) }

    var isEmpty: Bool { waiting.isEmpty }

    /// Whether something's turn comes before another's.
    func hasWork(before turn: Turn) -> Bool { waiting.contains { $0.turn.map(turn.comesAfter) ?? false } }

    mutating func append(_ work: Work) { waiting.append(work) }

    /// Takes out what is done next; nil where all that there is waits for what is in hand.
    mutating func next() -> Work? {
        guard chance != nil else {
            if let first = waiting.first, first.turn?.mayBegin != false { return waiting.removeFirst() }
            return choices(atMost: 1).first.map { waiting.remove(at: $0) }
        }
        let choices = choices()
        guard !choices.isEmpty else { return nil }
        let place = choices.count == 1 ? 0 : Int.random(in: 0..<choices.count, using: &chance!)
        return waiting.remove(at: choices[place])
    }

    /// The places of what may be done now, the first first: all without a lane, and on each lane what waits for nothing that
    /// is in hand or came before it.
    private func choices(atMost limit: Int = .max) -> [Int] {
        var found: [Int] = []
        var lanes: Set<ObjectIdentifier> = [], barred: Set<ObjectIdentifier> = []
        for index in waiting.indices where found.count < limit {
            guard let turn = waiting[index].turn else {
                found.append(index)
                continue
            }
            let lane = ObjectIdentifier(turn.lane), mayBegin = turn.mayBegin
            // What waits for a barrier that is in hand holds nothing that does not wait for it, too.
            guard mayBegin || turn.isBarrier && turn.lane.isConcurrent else { continue }
            if mayBegin, !(turn.isBarrier ? lanes : barred).contains(lane) { found.append(index) }
            lanes.insert(lane)
            if turn.isBarrier { barred.insert(lane) }
        }
        return found
    }
}
