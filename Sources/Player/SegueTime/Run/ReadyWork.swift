internal import DequeModule
internal import SegueBase

/// The work that is ready at the present instant.
///
/// Without a seed, it runs in order. With a seed, the order is random among lanes, among work without a lane, and
/// between two barriers of a lane; other work on a lane stays in order.
struct ReadyWork {
    private var waiting = Deque<Work>()
    private var chance: SeededRandom?

    /// An empty queue, with a seed for the order; 0 for none.
    init(seed: UInt64) { chance = seed == 0 ? nil : SeededRandom(seed: seed) }

    var isEmpty: Bool { waiting.isEmpty }

    /// Whether any work precedes a turn on its lane.
    func hasWork(before turn: Turn) -> Bool { waiting.contains { $0.turn.map(turn.comesAfter) ?? false } }

    mutating func append(_ work: Work) { waiting.append(work) }

    /// Removes and returns the next work; nil if everything waits for work in progress.
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

    /// Returns the indices of the work that may run now, in order: all work without a lane, and on each lane the work
    /// that waits for nothing in progress or before it.
    private func choices(atMost limit: Int = .max) -> [Int] {
        var found: [Int] = []
        var lanes: Set<ObjectIdentifier> = [], barred: Set<ObjectIdentifier> = []
        for index in waiting.indices where found.count < limit {
            guard let turn = waiting[index].turn else {
                found.append(index)
                continue
            }
            let lane = ObjectIdentifier(turn.lane), mayBegin = turn.mayBegin
            // Work that waits for a barrier in progress does not delay work that does not wait for it.
            guard mayBegin || turn.isBarrier && turn.lane.isConcurrent else { continue }
            if mayBegin, !(turn.isBarrier ? lanes : barred).contains(lane) { found.append(index) }
            lanes.insert(lane)
            if turn.isBarrier { barred.insert(lane) }
        }
        return found
    }
}
