import Synchronization

/// A budget of bytes that are on their way to clients, shared by all connections.
///
/// A connection receives a body in pieces, each after the previous one is accepted. With plenty of budget pieces are
/// large, which is cheapest; below half of the budget, as with many clients that do not read, they are small; without
/// budget, senders queue. No client may use more than half of the budget, however many connections it has, and waiting
/// clients take turns.
final class SendingBudget: Sendable {
    /// The size of a piece when the budget is scarce; a piece for each of a thousand connections fits.
    static let minimumPiece = 8 << 10
    /// The maximum size of a piece.
    static let maximumPiece = 1 << 20

    private struct Waiting {
        var number: UInt64
        var count: Int
        var client: String
        var continuation: CheckedContinuation<Int, Never>
    }

    private struct State {
        var used = 0
        var usedBy: [String: Int] = [:]
        var waiting: [Waiting] = []
        var lastNumber: UInt64 = 0
        /// Waiters that were cancelled before they were queued.
        var gaveUp: Set<UInt64> = []
    }

    private let limit: Int
    private let state = Mutex(State())

    init(limit: Int = 32 << 20) { self.limit = limit }

    /// The number of bytes on their way.
    var used: Int { state.withLock { $0.used } }

    /// The number of waiting senders.
    var waiting: Int { state.withLock { $0.waiting.count } }

    /// Reserves bytes for a piece; waits until some are available.
    ///
    /// - Parameters:
    ///   - wanted: The maximum number of bytes; at least 1.
    ///   - client: The client to send to.
    /// - Returns: The number of reserved bytes, at least 1, which are returned with ``give(_:of:)``.
    /// - Throws: `CancellationError`; nothing is reserved then.
    func take(upTo wanted: Int, for client: String = "") async throws -> Int {
        let number: UInt64 = state.withLock { state in
            state.lastNumber += 1
            return state.lastNumber
        }
        let granted = await withTaskCancellationHandler {
            await withCheckedContinuation { (continuation: CheckedContinuation<Int, Never>) in
                let now: Int? = state.withLock { state in
                    if state.gaveUp.remove(number) != nil { return 0 }
                    // No waiter could be served now, so this one does not overtake any.
                    if let granted = grant(wanted, to: client, state: &state) { return granted }
                    state.waiting.append(
                        Waiting(number: number, count: wanted, client: client, continuation: continuation)
                    )
                    return nil
                }
                if let now { continuation.resume(returning: now) }
            }
        } onCancel: {
            let waiting: Waiting? = state.withLock { state in
                guard let place = state.waiting.firstIndex(where: { $0.number == number }) else {
                    state.gaveUp.insert(number)
                    return nil
                }
                return state.waiting.remove(at: place)
            }
            waiting?.continuation.resume(returning: 0)
        }
        _ = state.withLock { $0.gaveUp.remove(number) }
        guard granted > 0 else { throw CancellationError() }
        return granted
    }

    /// Returns reserved bytes.
    func give(_ count: Int, of client: String = "") {
        let served: [(Waiting, Int)] = state.withLock { state in
            state.used -= count
            let left = (state.usedBy[client] ?? 0) - count
            state.usedBy[client] = left > 0 ? left : nil
            var served: [(Waiting, Int)] = []
            while let place = next(state),
                let granted = grant(state.waiting[place].count, to: state.waiting[place].client, state: &state)
            {
                served.append((state.waiting.remove(at: place), granted))
            }
            return served
        }
        for (waiting, granted) in served { waiting.continuation.resume(returning: granted) }
    }

    /// The index of the next waiter: of the client with the fewest bytes on their way, the oldest.
    private func next(_ state: State) -> Int? {
        state.waiting.indices.min { left, right in
            let (left, right) = (state.waiting[left], state.waiting[right])
            return (state.usedBy[left.client] ?? 0, left.number) < (state.usedBy[right.client] ?? 0, right.number)
        }
    }

    private func grant(_ wanted: Int, to client: String, state: inout State) -> Int? {
        let most = min(wanted, Self.maximumPiece)
        let own = state.usedBy[client] ?? 0
        // Large pieces of one client leave as much room for those of others.
        let granted = state.used + most <= limit / 2 && own + most <= limit / 4 ? most : min(most, Self.minimumPiece)
        // A client with nothing on its way is always served, so that the queue moves.
        guard own == 0 || own + granted <= limit / 2 else { return nil }
        guard state.used == 0 || state.used + granted <= limit else { return nil }
        state.used += granted
        state.usedBy[client, default: 0] += granted
        return granted
    }
}
