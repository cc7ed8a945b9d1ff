/// Lets so many through at once, and the others in the order in which they came.
actor RequestGate {
    private var free: Int
    private var tickets = 0
    private var held: Set<Int> = []
    private var waiting: [CheckedContinuation<Void, Never>] = []
    private var first = 0

    init(_ most: Int) { free = max(1, most) }

    /// Waits until it may go on; what it is given, it gives back.
    func enter() async -> Int {
        if free > 0 {
            free -= 1
        } else {
            await withCheckedContinuation { waiting.append($0) }
        }
        tickets += 1
        held.insert(tickets)
        return tickets
    }

    /// Gives back; that it is done twice changes nothing.
    func leave(_ ticket: Int) {
        guard held.remove(ticket) != nil else { return }
        guard first < waiting.count else {
            free += 1
            return
        }
        let next = waiting[first]
        first += 1
        if first > 64, first * 2 > waiting.count {
            waiting.removeFirst(first)
            first = 0
        }
        next.resume()
    }
}
