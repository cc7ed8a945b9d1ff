import Dispatch
import SegueConcurrency
import SegueFFmpeg

/// How many bytes are in the making: no more than there is room for, while there is none to keep what was made.
///
/// What has nowhere to stay is made again and again for as many clients as want a part of it, and each making takes the
/// memory of what it reads and of what it writes.
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

    /// Room for so many bytes.
    ///
    /// - Parameters:
    ///   - limit: How many may be in the making while there is no room to keep them; one piece always may.
    ///   - patience: How long one waits for others at most: they may hang.
    init(limit: Int = 4 << 20, patience: DispatchTimeInterval = .seconds(1)) {
        (self.limit, self.patience) = (limit, patience)
    }

    /// Has something called each time that bytes find no room.
    func whenShort(_ action: @escaping @Sendable () -> Void) { state.withLock { $0.whenShort = action } }

    /// Says that there was no room for bytes that somebody needs.
    func noteShortage() {
        let action = state.withLock { state in
            state.isShort = true
            return state.whenShort
        }
        action()
    }

    /// Says that there is room again, as far as is known.
    func endShortage() {
        state.withLock { state in
            state.isShort = false
            beginNext(&state)
        }
    }

    /// Blocks until so many wait for their turn; a test's way to know that they have come.
    func waitForWaiting(_ count: Int) { state.wait(for: { $0.waiting.count == count }) }

    /// Makes bytes when it is their turn; blocks.
    ///
    /// - Parameters:
    ///   - count: How many there will be, as far as is known.
    ///   - cancellation: Ends the waiting, and has others wait for this no longer: what was given up may still hang.
    ///   - make: Makes them.
    /// - Returns: What was made.
    /// - Throws: What `make` throws.
    func make<Value>(_ count: Int, _ cancellation: Cancellation, _ make: () throws -> Value) rethrows -> Value {
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

    /// Begins what there is room for, in the order in which it came.
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
