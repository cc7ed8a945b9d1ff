import Foundation
import SegueConcurrency
import SegueFFmpeg
import SegueOrigin

/// Where the server has done what may take long or hang: whatever calls into libav, and whatever reads files.
///
/// Nothing else of the server waits for libav or for a disk. Threads of this process do the work (``ThreadedWork``);
/// processes of their own can take their place: what crosses here is a request and its answer, or a body and the number
/// of one of its pieces.
protocol RequestWork: Sendable {
    /// Answers a request.
    ///
    /// - Parameters:
    ///   - request: What is asked.
    ///   - order: Whose turn it is.
    ///   - cancellation: Stops the work.
    /// - Returns: The answer.
    /// - Throws: Why there is none.
    func answer(
        _ request: OriginRequest,
        _ order: WorkOrder,
        _ cancellation: Cancellation
    ) async throws(WorkerPool.Refusal) -> OriginResponse

    /// Makes a piece of a body that was answered with.
    ///
    /// - Parameters:
    ///   - piece: The piece's number.
    ///   - body: The body.
    ///   - order: Whose turn it is.
    ///   - cancellation: Stops the work.
    /// - Returns: The piece.
    /// - Throws: ``WorkerPool/Refusal``, or why the piece cannot be made.
    func make(
        _ piece: Int,
        of body: PiecewiseBody,
        _ order: WorkOrder,
        _ cancellation: Cancellation
    ) async throws -> KeptBytes

    /// Reads from a file that is answered with.
    ///
    /// - Throws: ``WorkerPool/Refusal``, or what the work throws.
    func read<Value: Sendable>(
        _ order: WorkOrder,
        _ cancellation: Cancellation,
        _ work: @escaping @Sendable () throws(FileReader.Failure) -> Value
    ) async throws -> Value

    /// Looks into a file that nobody has asked for; blocks until that is done or given up.
    ///
    /// - Returns: Why it was not done; nil where it was.
    func learn(
        _ order: WorkOrder,
        _ cancellation: Cancellation,
        _ work: @escaping @Sendable () -> Void
    ) -> WorkerPool.Refusal?

    /// What it is at.
    var report: WorkReport { get }

    /// Lets each client have so much long work under way or waiting from now on.
    func allow(encodings: Int)

    /// Ends it; what waits is not done.
    func stop()
}

/// Work on threads of this process.
struct ThreadedWork: RequestWork {
    private let pool: WorkerPool
    private let respond: OriginServer.Respond

    /// Starts the threads.
    ///
    /// - Parameters:
    ///   - configuration: How many threads, and how much may wait.
    ///   - isHelped: Whether somebody else is making something that work may wait for.
    ///   - respond: What answers.
    init(
        _ configuration: OriginServer.Configuration,
        isHelped: @escaping @Sendable () -> Bool,
        _ respond: @escaping OriginServer.Respond
    ) {
        self.respond = respond
        pool = WorkerPool(
            threads: configuration.threads,
            slowThreads: max(1, configuration.threads / 2),
            queueLimit: configuration.queueLimit,
            fileLimit: configuration.connectionLimit,
            name: "origin",
            patience: configuration.patience,
            share: ClientShare(
                processors: MachineLimits.processors,
                encodings: configuration.fairness.allowance.encodings
            ),
            isHelped: isHelped
        )
    }

    func allow(encodings: Int) { pool.allow(encodings: encodings) }

    func answer(
        _ request: OriginRequest,
        _ order: WorkOrder,
        _ cancellation: Cancellation
    ) async throws(WorkerPool.Refusal) -> OriginResponse {
        try await pool.run(order, cancellation) { [respond] in respond(request, cancellation) }
    }

    func make(
        _ piece: Int,
        of body: PiecewiseBody,
        _ order: WorkOrder,
        _ cancellation: Cancellation
    ) async throws -> KeptBytes {
        try await pool.run(order, cancellation) {
            Result { try body.kept(piece, cancellation: cancellation) }
        }.get()
    }

    func read<Value: Sendable>(
        _ order: WorkOrder,
        _ cancellation: Cancellation,
        _ work: @escaping @Sendable () throws(FileReader.Failure) -> Value
    ) async throws -> Value {
        let result: Result<Value, FileReader.Failure> = try await pool.run(order, cancellation) {
            do throws(FileReader.Failure) {
                return .success(try work())
            } catch {
                return .failure(error)
            }
        }
        return try result.get()
    }

    func learn(
        _ order: WorkOrder,
        _ cancellation: Cancellation,
        _ work: @escaping @Sendable () -> Void
    ) -> WorkerPool.Refusal? {
        pool.wait(order, cancellation, work)
    }

    var report: WorkReport { pool.report }

    func stop() { pool.stop() }
}
