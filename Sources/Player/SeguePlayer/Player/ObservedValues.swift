/// The observers of property values.
@MainActor final class ObservedValues {
    private var looks: [Int: () -> Void] = [:]
    private let ended = EndedStreams()
    private var count = 0

    /// Called when an observer is added.
    var wasAdded: () -> Void = {}

    /// The number of observers.
    var number: Int {
        forgetEnded()
        return looks.count
    }

    /// Reports a value whenever it differs from the previous check.
    func add<Value: Equatable>(_ read: @escaping () -> Value, _ tell: @escaping (Value) -> Void) -> Observation {
        count += 1
        let number = count
        var last = read()
        looks[number] = {
            let value = read()
            guard value != last else { return }
            // The value must be stored before the report, which may lead to the next check.
            last = value
            tell(value)
        }
        wasAdded()
        return Observation { [weak self] in self?.looks[number] = nil }
    }

    /// Returns the present value, and each value that follows.
    func stream<Value: Equatable & Sendable>(of read: @escaping () -> Value) -> AsyncStream<Value> {
        let (stream, continuation) = AsyncStream<Value>.makeStream()
        continuation.yield(read())
        _ = add(read) { continuation.yield($0) }
        continuation.onTermination = { [ended, count] _ in ended.add(count) }
        return stream
    }

    /// Reports all values that have changed.
    func look() {
        forgetEnded()
        // An observer that is added meanwhile has the present value.
        for number in looks.keys.sorted() { looks[number]?() }
    }

    private func forgetEnded() {
        for number in ended.drain() { looks[number] = nil }
    }
}
