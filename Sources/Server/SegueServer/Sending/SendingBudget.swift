import Synchronization

/// How many bytes may be on their way to clients that have not taken them: one budget for all connections.
///
/// Bytes are handed to a connection in pieces, the next one when it has taken the one before. While there is plenty of
/// room a piece may be large, which costs the least; when half of it is gone, as with many clients that do not read,
/// pieces are small; when all is gone, whoever has something to send waits for its turn. No client has more than half of
/// the room, however many connections it has, and the clients that wait have their turns one after another.
final class SendingBudget: Sendable {
    /// The size of a piece when room is scarce: a thousand connections with one each do not use up the room.
    static let leastPiece = 8 << 10
    /// The size of the largest piece.
    static let mostPiece = 1 << 20

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
        /// Those that gave up before they were in the queue.
        var gaveUp: Set<UInt64> = []
    }

    private let limit: Int
    private let state = Mutex(State())

    /// A budget of so many bytes.
    init(limit: Int = 32 << 20) { self.limit = limit }

    /// How many bytes are on their way.
    var used: Int { state.withLock { $0.used } }

    /// How many wait for room.
    var waiting: Int { state.withLock { $0.waiting.count } }

    /// Takes room for a piece; waits until there is some.
    ///
    /// - Parameters:
    ///   - wanted: How many bytes there are to send at most; at least 1.
    ///   - client: Whom to.
    /// - Returns: How many may be sent, at least 1; they are given back with ``give(_:of:)``.
    /// - Throws: `CancellationError`; nothing has been taken then.
    func take(upTo wanted: Int, for client: String = "") async throws -> Int {
        let number: UInt64 = state.withLock { state in
            state.lastNumber += 1
            return state.lastNumber
        }
        let granted = await withTaskCancellationHandler {
            await withCheckedContinuation { (continuation: CheckedContinuation<Int, Never>) in
                let now: Int? = state.withLock { state in
                    if state.gaveUp.remove(number) != nil { return 0 }
                    // Nobody waits who could be served, so one who can be passes nobody by.
                    if let granted = grant(wanted, client, &state) { return granted }
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

    /// Gives room back that was taken for a client.
    func give(_ count: Int, of client: String = "") {
        let served: [(Waiting, Int)] = state.withLock { state in
            state.used -= count
            let left = (state.usedBy[client] ?? 0) - count
            state.usedBy[client] = left > 0 ? left : nil
            var served: [(Waiting, Int)] = []
            while let place = next(state),
                let granted = grant(state.waiting[place].count, state.waiting[place].client, &state)
            {
                served.append((state.waiting.remove(at: place), granted))
            }
            return served
        }
        for (waiting, granted) in served { waiting.continuation.resume(returning: granted) }
    }

    /// The place of the one whose turn it is: of the client that has the least on its way, the one that came first.
    private func next(_ state: State) -> Int? {
        state.waiting.indices.min { left, right in
            let (left, right) = (state.waiting[left], state.waiting[right])
            return (state.usedBy[left.client] ?? 0, left.number) < (state.usedBy[right.client] ?? 0, right.number)
        }
    }

    private func grant(_ wanted: Int, _ client: String, _ state: inout State) -> Int? {
        let most = min(wanted, Self.mostPiece)
        let own = state.usedBy[client] ?? 0
        // Large pieces of one client leave as much room for those of others.
        let granted = state.used + most <= limit / 2 && own + most <= limit / 4 ? most : min(most, Self.leastPiece)
        // With nothing on its way there is always room, so that the queue moves.
        guard own == 0 || own + granted <= limit / 2 else { return nil }
        guard state.used == 0 || state.used + granted <= limit else { return nil }
        state.used += granted
        state.usedBy[client, default: 0] += granted
        return granted
    }
}
