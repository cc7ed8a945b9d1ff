@testable import OriginServer

extension OriginServer.Configuration {
    /// One with which nothing that a test lets hang is taken for slow, however slow the machine is: no thread is replaced,
    /// and no work given up.
    static func patient(threads: Int, queueLimit: Int = 1024, idleTimeLimit: Duration = .seconds(60)) -> Self {
        var configuration = Self(
            host: "127.0.0.1",
            threads: threads,
            queueLimit: queueLimit,
            idleTimeLimit: idleTimeLimit
        )
        let never = Duration.seconds(3600)
        configuration.patience = .init(untilReplaced: never, untilSlow: never, standingStill: never)
        return configuration
    }
}

/// Runs a server on a free port of the loopback interface while `body` runs.
func withServer(
    threads: Int = 1,
    queueLimit: Int = 0,
    idleTimeLimit: Duration = .seconds(60),
    _ respond: @escaping OriginServer.Respond,
    _ body: (OriginServer.Address) async throws -> Void
) async throws {
    let (addresses, ready) = AsyncStream.makeStream(of: OriginServer.Address.self)
    let configuration = OriginServer.Configuration.patient(
        threads: threads,
        queueLimit: queueLimit,
        idleTimeLimit: idleTimeLimit
    )
    let server = Task {
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
