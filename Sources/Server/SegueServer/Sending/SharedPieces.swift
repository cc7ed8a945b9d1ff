import SegueConcurrency
import SegueFFmpeg
import SegueOrigin

/// Pieces of bodies that are being made because there is no room to keep them; concurrent requests for a piece share
/// it.
///
/// If nothing can be spooled, slow clients need each part of a segment made again, and many of them would occupy the
/// workers.
final class SharedPieces: Sendable {
    struct Piece: Hashable {
        /// The identity of the body; equal identities mean equal bytes.
        var body: String
        var number: Int
    }

    private typealias Waiter = FirstValue<Result<KeptBytes, any Error>>

    private struct Making {
        let cancellation: Cancellation
        var waiting: [UInt64: Waiter] = [:]
    }

    private struct State {
        var makings: [Piece: Making] = [:]
        var lastNumber: UInt64 = 0
    }

    private let timeLimit: Duration
    private let state = Monitor(State())

    /// - Parameter timeLimit: The time limit for making a piece.
    init(timeLimit: Duration) { self.timeLimit = timeLimit }

    /// Blocks until a number of clients wait for a piece; for tests.
    func waitForClients(_ count: Int, of piece: Piece) {
        state.wait(for: { ($0.makings[piece]?.waiting.count ?? 0) == count })
    }

    /// Returns a piece, made now or by a request in progress.
    ///
    /// - Parameters:
    ///   - client: The client; the work is cancelled with the last one.
    /// - Returns: Its bytes, which may be available only immediately.
    /// - Throws: The error of `make`; `CancellationError` if the client disconnects.
    func kept(
        _ piece: Piece,
        for client: Cancellation,
        make: @escaping @Sendable (Cancellation) async throws -> KeptBytes
    ) async throws -> KeptBytes {
        let number: UInt64 = state.withLock { state in
            state.lastNumber += 1
            return state.lastNumber
        }
        let waiter = Waiter()
        let leave = { @Sendable [self] in
            waiter.give(.failure(CancellationError()))
            self.leave(piece, number)
        }
        let registration = client.whenCancelled(leave)
        defer { client.forget(registration) }
        let result = await withTaskCancellationHandler {
            await waiter.wait { join(piece, number: number, waiter: waiter, make: make) }
        } onCancel: {
            leave()
        }
        return try result.get()
    }

    private func join(
        _ piece: Piece,
        number: UInt64,
        waiter: Waiter,
        make: @escaping @Sendable (Cancellation) async throws -> KeptBytes
    ) {
        let new: Cancellation? = state.withLock { state in
            let isNew = state.makings[piece] == nil
            let making = state.makings[piece] ?? Making(cancellation: Cancellation(deadline: .now + timeLimit))
            state.makings[piece] = making
            state.makings[piece]?.waiting[number] = waiter
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

    /// Ends the work for a piece; later requests start again.
    private func end(_ piece: Piece, of making: Cancellation, with result: Result<KeptBytes, any Error>) {
        let waiting: [Waiter] = state.withLock { state in
            guard let ended = state.makings[piece], ended.cancellation === making else { return [] }
            state.makings[piece] = nil
            return Array(ended.waiting.values)
        }
        for waiter in waiting { waiter.give(result) }
    }

    private func leave(_ piece: Piece, _ number: UInt64) {
        let unwanted: Cancellation? = state.withLock { state in
            guard state.makings[piece]?.waiting.removeValue(forKey: number) != nil,
                let making = state.makings[piece], making.waiting.isEmpty
            else { return nil }
            // A request must not join work that is being cancelled.
            state.makings[piece] = nil
            return making.cancellation
        }
        unwanted?.cancel()
    }
}
