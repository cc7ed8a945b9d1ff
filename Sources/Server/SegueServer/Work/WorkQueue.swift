/// The queue of a lane: clients take turns, and so do the subjects of each client.
///
/// A client with many jobs delays only itself, and its queued jobs do not slow the search for the next one.
struct WorkQueue<Job> {
    private struct Waiting {
        var number: UInt64
        var order: WorkOrder
        var job: Job
    }

    /// The queued jobs of a client on a subject, the oldest first, and the time of its last turn.
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

    /// The clients, including those without queued jobs, until the queue is empty.
    private var clients: [String: Client] = [:]
    private var places: [UInt64: (client: String, subject: String)] = [:]
    private var lastTurn: UInt64 = 0

    /// The number of queued jobs whose responses have not begun.
    private(set) var countOfNew = 0

    init() {}

    /// The number of queued jobs.
    var count: Int { places.count }

    /// The clients with queued jobs.
    var waitingClients: [String] { clients.filter { $0.value.count > 0 }.map(\.key) }

    func count(of client: String) -> Int { clients[client]?.count ?? 0 }

    mutating func append(_ job: Job, number: UInt64, _ order: WorkOrder) {
        let work = Waiting(number: number, order: order, job: job)
        clients[order.client, default: Client()].subjects[order.subject, default: Subject()].waiting.append(work)
        places[number] = (order.client, order.subject)
        change(order, by: 1)
    }

    /// Removes the next job; nil if there is none that may run.
    ///
    /// - Parameter mayHaveTurn: Returns true if a client may run a job.
    /// - Returns: The job, its number, and its order.
    mutating func next(
        where mayHaveTurn: (_ client: String) -> Bool = { _ in true }
    ) -> (job: Job, number: UInt64, order: WorkOrder)? {
        var best: (client: UInt64, subject: UInt64, number: UInt64)?
        for (name, client) in clients where client.count > 0 {
            // A client that had its turn recently costs a single comparison.
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

    /// Removes a job; nil if it is not queued.
    mutating func remove(_ number: UInt64) -> Job? { take(number)?.job }

    /// Removes the newest job of the client with the most queued jobs, if it has more than another client.
    ///
    /// Jobs of responses that have begun stay.
    mutating func removeNewest(ofOneWithMoreThan client: String) -> Job? {
        guard let most = clients.max(by: { ($0.value.countOfNew, $0.key) < ($1.value.countOfNew, $1.key) })?.value,
            most.countOfNew > (clients[client]?.countOfNew ?? 0) + 1
        else { return nil }
        let newest = most.subjects.values.compactMap { $0.waiting.last { !$0.order.isOwed }?.number }.max()
        return newest.flatMap { take($0) }?.job
    }

    /// Removes all jobs, the oldest first.
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
