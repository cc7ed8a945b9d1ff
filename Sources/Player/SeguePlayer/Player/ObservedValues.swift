/// Those who are told when a property becomes another value.
@MainActor final class ObservedValues {
    private var looks: [Int: () -> Void] = [:]
    private let ended = EndedStreams()
    private var count = 0

    /// Called as one is added.
    var wasAdded: () -> Void = {}

    /// How many there are.
    var number: Int {
        forgetEnded()
        return looks.count
    }

    /// Tells of what a value has become whenever it was another one at the last look.
    func add<Value: Equatable>(_ read: @escaping () -> Value, _ tell: @escaping (Value) -> Void) -> Observation {
        count += 1
        let number = count
        var last = read()
        looks[number] = {
            let value = read()
            guard value != last else { return }
            // Before it is told: what is done about it may lead to the next look.
            last = value
            tell(value)
        }
        wasAdded()
        return Observation { [weak self] in self?.looks[number] = nil }
    }

    /// What a value is and becomes.
    func stream<Value: Equatable & Sendable>(of read: @escaping () -> Value) -> AsyncStream<Value> {
        let (stream, continuation) = AsyncStream<Value>.makeStream()
        continuation.yield(read())
        _ = add(read) { continuation.yield($0) }
        continuation.onTermination = { [ended, count] _ in ended.add(count) }
        return stream
    }

    /// Tells of all that has become another value.
    func look() {
        forgetEnded()
        // Who is added meanwhile has seen what there is.
        for number in looks.keys.sorted() { looks[number]?() }
    }

    private func forgetEnded() {
        for number in ended.take() { looks[number] = nil }
    }
}
