import Foundation
import SegueConcurrency
import SegueFFmpeg
import SegueOrigin

/// The work of the server that may take long or hang: calls into libav, and reading files.
///
/// Nothing else of the server waits for libav or for a disk. Threads of this process do the work (``ThreadedWork``). A
/// request and its response, or a body and the number of a piece, are all that crosses this interface.
protocol RequestWork: Sendable {
    /// Responds to a request.
    ///
    /// - Parameters:
    ///   - order: The priority of the work.
    /// - Returns: The response.
    /// - Throws: The reason why the work was not done.
    func respond(
        _ request: OriginRequest,
        order: WorkOrder,
        cancellation: Cancellation
    ) async throws(WorkerPool.Refusal) -> OriginResponse

    /// Makes a piece of a response's body.
    ///
    /// - Parameters:
    ///   - order: The priority of the work.
    /// - Returns: The piece.
    /// - Throws: ``WorkerPool/Refusal``, or the error of making the piece.
    func make(
        _ piece: Int,
        of body: PiecewiseBody,
        order: WorkOrder,
        cancellation: Cancellation
    ) async throws -> KeptBytes

    /// Reads from a file of a response's body.
    ///
    /// - Throws: ``WorkerPool/Refusal``, or the error of `work`.
    func read<Value: Sendable>(
        _ order: WorkOrder,
        _ cancellation: Cancellation,
        work: @escaping @Sendable () throws(FileReader.Failure) -> Value
    ) async throws -> Value

    /// Scans a file in the background; blocks until it is done or given up.
    ///
    /// - Returns: The reason why it was not done; nil on success.
    func learn(
        _ order: WorkOrder,
        _ cancellation: Cancellation,
        work: @escaping @Sendable () -> Void
    ) -> WorkerPool.Refusal?

    /// The state of the workers.
    var report: WorkReport { get }

    /// Sets the maximum number of long jobs of a client.
    func allow(encodings: Int)

    /// Stops the workers; queued work is dropped.
    func stop()
}

/// Work on threads of this process.
struct ThreadedWork: RequestWork {
    private let pool: WorkerPool
    private let respond: OriginServer.Respond

    /// Starts the threads.
    ///
    /// - Parameters:
    ///   - configuration: The numbers of threads and of queued jobs.
    ///   - isHelped: Returns true if another component makes something that jobs may wait for.
    init(
        _ configuration: OriginServer.Configuration,
        isHelped: @escaping @Sendable () -> Bool,
        _ respond: @escaping OriginServer.Respond
    ) {
        self.respond = respond
        pool = WorkerPool(
            WorkerPool.Capacity(
                threads: configuration.threads,
                slowThreads: max(1, configuration.threads / 2),
                queueLimit: configuration.queueLimit,
                fileLimit: configuration.connectionLimit
            ),
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

    func respond(
        _ request: OriginRequest,
        order: WorkOrder,
        cancellation: Cancellation
    ) async throws(WorkerPool.Refusal) -> OriginResponse {
        try await pool.run(order, cancellation) { [respond] in respond(request, cancellation) }
    }

    func make(
        _ piece: Int,
        of body: PiecewiseBody,
        order: WorkOrder,
        cancellation: Cancellation
    ) async throws -> KeptBytes {
        try await pool.run(order, cancellation) {
            Result { try body.kept(piece, cancellation: cancellation) }
        }.get()
    }

    func read<Value: Sendable>(
        _ order: WorkOrder,
        _ cancellation: Cancellation,
        work: @escaping @Sendable () throws(FileReader.Failure) -> Value
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
        work: @escaping @Sendable () -> Void
    ) -> WorkerPool.Refusal? {
        pool.wait(order, cancellation, work: work)
    }

    var report: WorkReport { pool.report }

    func stop() { pool.stop() }
}
