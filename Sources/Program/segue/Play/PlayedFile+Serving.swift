import SeguePlayerModel
import SegueServer
import SegueSuite

extension PlayedFile {
    /// Serves it over the loopback interface, for a run in real time.
    ///
    /// - Returns: Its addresses, and what serves it, to be cancelled.
    /// - Throws: ``PlayedPlaceError`` when nothing can be listened on.
    func serve() async throws(PlayedPlaceError) -> (address: ItemAddress, server: Task<Void, any Error>) {
        let (bases, came) = AsyncStream.makeStream(of: String.self)
        let server = Task {
            defer { came.finish() }
            try await OriginServer.run(.init(host: "127.0.0.1")) { [self] request, cancellation in
                respond(to: request, cancellation)
            } onReady: { address in
                came.yield("http://\(address)")
            }
        }
        for await base in bases { return (address(at: base), server) }
        guard case .failure(let error) = await server.result else { throw PlayedPlaceError(path, "is served no more") }
        throw PlayedPlaceError(path, "cannot be served on this machine: \(error)")
    }
}
