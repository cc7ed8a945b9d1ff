import Dispatch
import SegueConcurrency
import SegueFFmpeg

/// A limit on the bytes that are made at once while there is no room to keep them.
///
/// Bytes without room are made again for each client that wants a part of them, and each time take the memory of their
/// input and output.
final class EncodingSlots: Sendable {
    private struct Waiting {
        var number: UInt64
        var count: Int
        let turn: DispatchSemaphore
    }

    private struct State {
        var making: [UInt64: Int] = [:]
        var waiting: [Waiting] = []
        var lastNumber: UInt64 = 0
        var isShort = false
        var whenShort: @Sendable () -> Void = {}
    }

    private let limit: Int
    private let patience: DispatchTimeInterval
    private let state = Monitor(State())

    /// - Parameters:
    ///   - limit: The maximum number of bytes that are made at once during a shortage; one piece is always allowed.
    ///   - patience: The maximum wait for other pieces, which may hang.
    init(limit: Int = 4 << 20, patience: DispatchTimeInterval = .seconds(1)) {
        (self.limit, self.patience) = (limit, patience)
    }

    /// Sets a function that is called each time when bytes find no room.
    func whenShort(_ action: @escaping @Sendable () -> Void) { state.withLock { $0.whenShort = action } }

    /// Reports that required bytes find no room.
    func noteShortage() {
        let action = state.withLock { state in
            state.isShort = true
            return state.whenShort
        }
        action()
    }

    /// Ends the restrictions of a shortage.
    func endShortage() {
        state.withLock { state in
            state.isShort = false
            beginNext(&state)
        }
    }

    /// Blocks until a number of callers wait; for tests.
    func waitForWaiting(_ count: Int) { state.wait(for: { $0.waiting.count == count }) }

    /// Makes bytes when a slot is free; blocks.
    ///
    /// - Parameters:
    ///   - count: The expected number of bytes.
    ///   - cancellation: Ends the wait, and frees the slot early: cancelled work may hang.
    /// - Returns: The result of `make`.
    /// - Throws: The error of `make`.
    func make<Value>(_ count: Int, cancellation: Cancellation, make: () throws -> Value) rethrows -> Value {
        let turn = DispatchSemaphore(value: 0)
        let number: UInt64 = state.withLock { state in
            state.lastNumber += 1
            state.waiting.append(Waiting(number: state.lastNumber, count: count, turn: turn))
            beginNext(&state)
            return state.lastNumber
        }
        let registration = cancellation.whenCancelled { [self] in
            end(number)
            turn.signal()
        }
        defer {
            cancellation.forget(registration)
            end(number)
        }
        if turn.wait(timeout: .now() + patience) == .timedOut {
            state.withLock { state in
                guard let place = state.waiting.firstIndex(where: { $0.number == number }) else { return }
                state.making[number] = state.waiting.remove(at: place).count
            }
        }
        return try make()
    }

    /// Starts waiting callers in order of arrival while there is room.
    private func beginNext(_ state: inout State) {
        while let next = state.waiting.first {
            let sum = state.making.values.reduce(0, +)
            guard !state.isShort || sum == 0 || next.count <= limit - sum else { return }
            state.making[next.number] = next.count
            state.waiting.removeFirst().turn.signal()
        }
    }

    private func end(_ number: UInt64) {
        state.withLock { state in
            state.making[number] = nil
            state.waiting.removeAll { $0.number == number }
            beginNext(&state)
        }
    }
}
