internal import SegueConcurrency
internal import SegueFFmpeg

/// Values that threads of their own make in order, a few before they are taken.
///
/// So whoever takes them works on one while the next are made, and no more of them are held than one for each thread
/// and one beside.
package final class ValuesAhead<Value: Sendable>: Sendable {
    private struct State {
        var made: [Int: Value] = [:]
        /// The number that is made next.
        var next: Int
        /// The number that was requested last.
        var wanted: Int
        var isOver = false
    }

    private let state: Monitor<State>

    /// Begins to make values.
    ///
    /// - Parameters:
    ///   - numbers: Their numbers.
    ///   - threads: The number of are made at once; at least 1.
    ///   - make: Makes one; called on several threads.
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

    /// Waits for a value.
    ///
    /// - Parameter number: Its number, greater than any that was requested before; those between are let go.
    /// - Returns: The value.
    package func value(_ number: Int) -> Value {
        state.withLock { state in
            state.wanted = number
            state.next = max(state.next, number)
            state.made = state.made.filter { $0.key >= number }
        }
        return state.wait { $0.made.removeValue(forKey: number) }
    }
}
