/// Work that waits for a thread: clients have their turns one after another, and so have the subjects of each.
///
/// So whoever asks for much waits for it alone, and costs nobody else a look at what waits for it.
struct WorkQueue<Job> {
    private struct Waiting {
        var number: UInt64
        var order: WorkOrder
        var job: Job
    }

    /// What waits of one client on one subject, the oldest first, and when it had its last turn.
    private struct Subject {
        var waiting: [Waiting] = []
        var turn: UInt64 = 0
    }

    private struct Client {
        var subjects: [String: Subject] = [:]
        var turn: UInt64 = 0
        var count = 0
        var countOfNew = 0
    }

    /// The clients, those that have nothing waiting too, until nothing waits at all.
    private var clients: [String: Client] = [:]
    private var places: [UInt64: (client: String, subject: String)] = [:]
    private var lastTurn: UInt64 = 0

    /// How much waits whose answer has not begun.
    private(set) var countOfNew = 0

    /// An empty queue.
    init() {}

    /// How much waits.
    var count: Int { places.count }

    /// Those of whom something waits.
    var waitingClients: [String] { clients.filter { $0.value.count > 0 }.map(\.key) }

    /// How much waits of one client.
    func count(of client: String) -> Int { clients[client]?.count ?? 0 }

    /// Adds work.
    mutating func append(_ job: Job, number: UInt64, _ order: WorkOrder) {
        let work = Waiting(number: number, order: order, job: job)
        clients[order.client, default: Client()].subjects[order.subject, default: Subject()].waiting.append(work)
        places[number] = (order.client, order.subject)
        change(order, by: 1)
    }

    /// Takes out whose turn it is; nil where nothing waits, or nothing of those who may have a turn.
    ///
    /// - Parameter mayHaveTurn: Whether a client may.
    /// - Returns: The work, its number and what it is.
    mutating func next(
        where mayHaveTurn: (_ client: String) -> Bool = { _ in true }
    ) -> (job: Job, number: UInt64, order: WorkOrder)? {
        var best: (client: UInt64, subject: UInt64, number: UInt64)?
        for (name, client) in clients where client.count > 0 {
            // A glance at the turn of a client that has had its own lately is all that it costs.
            if let best, client.turn > best.client { continue }
            guard mayHaveTurn(name) else { continue }
            for subject in client.subjects.values {
                guard let first = subject.waiting.first else { continue }
                let key = (client.turn, subject.turn, first.number)
                if best.map({ key < ($0.client, $0.subject, $0.number) }) ?? true { best = key }
            }
        }
        guard let number = best?.number, let (client, subject) = places[number], let taken = take(number) else {
            return nil
        }
        lastTurn += 1
        clients[client]?.turn = lastTurn
        clients[client]?.subjects[subject]?.turn = lastTurn
        if places.isEmpty { clients = [:] }
        return (taken.job, taken.number, taken.order)
    }

    /// Takes out work that is not wanted any more; nil where it does not wait.
    mutating func remove(_ number: UInt64) -> Job? { take(number)?.job }

    /// Takes out the newest work of the client that has the most waiting, where that is more than another has.
    ///
    /// An answer that has begun goes on.
    mutating func removeNewest(ofOneWithMoreThan client: String) -> Job? {
        guard let most = clients.max(by: { ($0.value.countOfNew, $0.key) < ($1.value.countOfNew, $1.key) })?.value,
            most.countOfNew > (clients[client]?.countOfNew ?? 0) + 1
        else { return nil }
        let newest = most.subjects.values.compactMap { $0.waiting.last { !$0.order.isOwed }?.number }.max()
        return newest.flatMap { take($0) }?.job
    }

    /// Takes out everything, the oldest first.
    mutating func removeAll() -> [Job] {
        defer { (clients, places, countOfNew) = ([:], [:], 0) }
        return clients.values.flatMap { $0.subjects.values.flatMap(\.waiting) }.sorted { $0.number < $1.number }
            .map(\.job)
    }

    private mutating func take(_ number: UInt64) -> Waiting? {
        guard let (client, subject) = places.removeValue(forKey: number),
            let place = clients[client]?.subjects[subject]?.waiting.firstIndex(where: { $0.number == number }),
            let taken = clients[client]?.subjects[subject]?.waiting.remove(at: place)
        else { return nil }
        change(taken.order, by: -1)
        return taken
    }

    private mutating func change(_ order: WorkOrder, by count: Int) {
        clients[order.client]?.count += count
        guard !order.isOwed else { return }
        clients[order.client]?.countOfNew += count
        countOfNew += count
    }
}
