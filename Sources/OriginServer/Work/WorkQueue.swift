/// Work that waits for a thread: clients have their turns one after another, and so have the subjects of each.
///
/// So whoever asks for much waits for it alone.
struct WorkQueue<Job> {
    private struct Waiting {
        var number: UInt64
        var order: WorkOrder
        var job: Job
    }

    private struct Turn: Hashable {
        var client: String
        var subject: String?
    }

    private var waiting: [Waiting] = []
    /// When a client, and a subject of it, had its last turn.
    private var turns: [Turn: UInt64] = [:]
    private var lastTurn: UInt64 = 0

    /// An empty queue.
    init() {}

    /// How much waits.
    var count: Int { waiting.count }

    /// How much waits whose answer has not begun.
    var countOfNew: Int { waiting.count { !$0.order.isOwed } }

    /// Adds work.
    mutating func append(_ job: Job, number: UInt64, _ order: WorkOrder) {
        waiting.append(Waiting(number: number, order: order, job: job))
    }

    /// Takes out whose turn it is; nil where nothing waits.
    mutating func next() -> (job: Job, number: UInt64, order: WorkOrder)? {
        let places = waiting.indices
        guard let place = places.min(by: { isBefore(waiting[$0], waiting[$1]) }) else { return nil }
        let taken = waiting.remove(at: place)
        lastTurn += 1
        turns[Turn(client: taken.order.client)] = lastTurn
        turns[Turn(client: taken.order.client, subject: taken.order.subject)] = lastTurn
        if waiting.isEmpty { turns = [:] }
        return (taken.job, taken.number, taken.order)
    }

    /// Takes out work that is not wanted any more; nil where it does not wait.
    mutating func remove(_ number: UInt64) -> Job? {
        waiting.firstIndex { $0.number == number }.map { waiting.remove(at: $0).job }
    }

    /// Takes out the newest work of the client that has the most waiting, where that is more than another has.
    ///
    /// An answer that has begun goes on.
    mutating func removeNewest(ofOneWithMoreThan client: String) -> Job? {
        let new = waiting.lazy.filter { !$0.order.isOwed }
        let counts = new.reduce(into: [String: Int]()) { $0[$1.order.client, default: 0] += 1 }
        guard let most = counts.max(by: { ($0.value, $0.key) < ($1.value, $1.key) }),
            most.value > (counts[client] ?? 0) + 1,
            let place = waiting.lastIndex(where: { $0.order.client == most.key && !$0.order.isOwed })
        else { return nil }
        return waiting.remove(at: place).job
    }

    /// Takes out everything.
    mutating func removeAll() -> [Job] {
        defer { waiting = [] }
        return waiting.map(\.job)
    }

    private func isBefore(_ left: Waiting, _ right: Waiting) -> Bool { key(left) < key(right) }

    private func key(_ work: Waiting) -> (UInt64, UInt64, UInt64) {
        let client = turns[Turn(client: work.order.client)] ?? 0
        let subject = turns[Turn(client: work.order.client, subject: work.order.subject)] ?? 0
        return (client, subject, work.number)
    }
}
