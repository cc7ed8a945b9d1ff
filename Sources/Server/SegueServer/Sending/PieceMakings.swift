import SegueConcurrency
import SegueFFmpeg
import SegueOrigin

/// Pieces that are made for bodies for which there is no room: all that wait for the same one are served by one making.
///
/// Where nothing can be spooled, clients that take little by little have what they are sent made again for each part of
/// it. So many of them would otherwise keep the workers from everybody else.
final class PieceMakings: Sendable {
    /// A piece of a body.
    struct Piece: Hashable {
        /// What the body is; the same text stands for the same bytes.
        var body: String
        var number: Int
    }

    private typealias Answer = FirstValue<Result<KeptBytes, any Error>>

    private struct Making {
        let cancellation: Cancellation
        var waiting: [UInt64: Answer] = [:]
    }

    private struct State {
        var makings: [Piece: Making] = [:]
        var lastNumber: UInt64 = 0
    }

    private let timeLimit: Duration
    private let state = Monitor(State())

    /// None yet.
    ///
    /// - Parameter timeLimit: How long making one may take.
    init(timeLimit: Duration) { self.timeLimit = timeLimit }

    /// Blocks until so many wait for a piece; a test's way to know of it.
    func waitForClients(_ count: Int, of piece: Piece) {
        state.wait(for: { ($0.makings[piece]?.waiting.count ?? 0) == count })
    }

    /// The piece, as soon as it is made; where somebody waits for it already, with that one.
    ///
    /// - Parameters:
    ///   - piece: Which one.
    ///   - client: Who waits for it; when the last of them has gone, the making is cancelled.
    ///   - make: Makes it.
    /// - Returns: Its bytes, which may be only there to be taken now.
    /// - Throws: What `make` throws; `CancellationError` where the client has gone.
    func kept(
        _ piece: Piece,
        for client: Cancellation,
        make: @escaping @Sendable (Cancellation) async throws -> KeptBytes
    ) async throws -> KeptBytes {
        let number: UInt64 = state.withLock { state in
            state.lastNumber += 1
            return state.lastNumber
        }
        let answer = Answer()
        let leave = { @Sendable [self] in
            answer.give(.failure(CancellationError()))
            self.leave(piece, number)
        }
        let registration = client.whenCancelled(leave)
        defer { client.forget(registration) }
        let result = await withTaskCancellationHandler {
            await answer.wait { join(piece, number, answer, make) }
        } onCancel: {
            leave()
        }
        return try result.get()
    }

    private func join(
        _ piece: Piece,
        _ number: UInt64,
        _ answer: Answer,
        _ make: @escaping @Sendable (Cancellation) async throws -> KeptBytes
    ) {
        let new: Cancellation? = state.withLock { state in
            let isNew = state.makings[piece] == nil
            let making = state.makings[piece] ?? Making(cancellation: Cancellation(deadline: .now + timeLimit))
            state.makings[piece] = making
            state.makings[piece]?.waiting[number] = answer
            return isNew ? making.cancellation : nil
        }
        guard let new else { return }
        Task {
            let result: Result<KeptBytes, any Error>
            do {
                result = .success(try await make(new))
            } catch {
                result = .failure(error)
            }
            end(piece, of: new, with: result)
        }
    }

    /// Whoever comes from now on has it made anew.
    private func end(_ piece: Piece, of making: Cancellation, with result: Result<KeptBytes, any Error>) {
        let waiting: [Answer] = state.withLock { state in
            guard let ended = state.makings[piece], ended.cancellation === making else { return [] }
            state.makings[piece] = nil
            return Array(ended.waiting.values)
        }
        for answer in waiting { answer.give(result) }
    }

    private func leave(_ piece: Piece, _ number: UInt64) {
        let unwanted: Cancellation? = state.withLock { state in
            guard state.makings[piece]?.waiting.removeValue(forKey: number) != nil,
                let making = state.makings[piece], making.waiting.isEmpty
            else { return nil }
            // What is being stopped is nothing for others to wait for.
            state.makings[piece] = nil
            return making.cancellation
        }
        unwanted?.cancel()
    }
}
