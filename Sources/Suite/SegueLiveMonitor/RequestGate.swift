/// A first-in, first-out limit on concurrent requests.
actor RequestGate {
    private var free: Int
    private var tickets = 0
    private var held: Set<Int> = []
    private var waiting: [CheckedContinuation<Void, Never>] = []
    private var first = 0

    init(_ most: Int) { free = max(1, most) }

    /// Waits for a place, and returns the ticket to leave with.
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

    /// Frees a place.
    ///
    /// Leaving twice has no effect.
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
