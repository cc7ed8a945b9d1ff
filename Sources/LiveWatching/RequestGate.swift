/// Lets so many through at once, and the others in the order in which they came.
actor RequestGate {
    private var free: Int
    private var waiting: [CheckedContinuation<Void, Never>] = []
    private var first = 0

    init(_ most: Int) { free = max(1, most) }

    func enter() async {
        guard free == 0 else {
            free -= 1
            return
        }
        await withCheckedContinuation { waiting.append($0) }
    }

    func leave() {
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
