internal import SegueConcurrency
internal import SegueFFmpeg

/// Values computed in order on background threads, slightly ahead of use.
///
/// At most one value per thread, plus one, is held.
package final class ValuesAhead<Value: Sendable>: Sendable {
    private struct State {
        var made: [Int: Value] = [:]
        /// The number of the next value to compute.
        var next: Int
        /// The number of the last requested value.
        var wanted: Int
        var isOver = false
    }

    private let state: Monitor<State>

    /// Starts computing the values of a range on `threads` threads (at least 1); `make` is called concurrently.
    package init(_ numbers: Range<Int>, threads: Int, make: @escaping @Sendable (Int) -> Value) {
        let state = Monitor(State(next: numbers.lowerBound, wanted: numbers.lowerBound))
        self.state = state
        for _ in 0..<min(threads, numbers.count) {
            WorkThread.begin("values ahead") {
                while true {
                    let number: Int?? = state.wait { state in
                        if state.isOver || state.next >= numbers.upperBound { return .some(nil) }
                        guard state.next <= state.wanted + threads else { return nil }
                        defer { state.next += 1 }
                        return .some(state.next)
                    }
                    guard case .some(.some(let number)) = number else { return }
                    let value = make(number)
                    state.withLock { if number >= $0.wanted { $0.made[number] = value } }
                }
            }
        }
    }

    deinit { state.withLock { $0.isOver = true } }

    /// Waits for a value and drops those before it; numbers must increase.
    package func value(_ number: Int) -> Value {
        state.withLock { state in
            state.wanted = number
            state.next = max(state.next, number)
            state.made = state.made.filter { $0.key >= number }
        }
        return state.wait { $0.made.removeValue(forKey: number) }
    }
}
