@testable import SegueServer

extension WorkerPool.Patience {
    /// Limits that no hanging test exceeds on a slow machine: no thread is replaced, and no job given up.
    static let endless = Self(
        untilReplaced: .seconds(3600),
        untilSlow: .seconds(3600),
        standingStill: .seconds(3600)
    )
}

/// Runs a server on a free port of the loopback interface while `body` runs.
///
/// With `isPatient` its threads have endless patience, for tests that keep one busy.
func withServer(
    isPatient: Bool = false,
    threads: Int = 1,
    queueLimit: Int = 0,
    idleTimeLimit: Duration = .seconds(60),
    fairness: OriginServer.Fairness = .init(),
    door: AccessGate? = nil,
    certificate: ServerCertificate? = nil,
    words: ErrorWords = .none,
    _ respond: @escaping OriginServer.Respond,
    _ body: (OriginServer.Address) async throws -> Void
) async throws {
    let (addresses, ready) = AsyncStream.makeStream(of: OriginServer.Address.self)
    var configuration = OriginServer.Configuration()
    (configuration.host, configuration.threads) = ("127.0.0.1", threads)
    (configuration.queueLimit, configuration.idleTimeLimit) = (queueLimit, idleTimeLimit)
    configuration.fairness = fairness
    configuration.door = door
    (configuration.certificate, configuration.words) = (certificate, words)
    if isPatient { configuration.patience = .endless }
    let server = Task { [configuration] in
        defer { ready.finish() }
        try await OriginServer.run(configuration, respond: respond, onReady: { ready.yield($0) })
    }
    var iterator = addresses.makeAsyncIterator()
    guard let address = await iterator.next() else { return try await server.value }
    let result: Result<Void, any Error>
    do {
        result = .success(try await body(address))
    } catch {
        result = .failure(error)
    }
    server.cancel()
    try await server.value
    try result.get()
}
