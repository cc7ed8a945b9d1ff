import SeguePlayerModel
import SegueServer
import SegueSuite

extension PlayedFile {
    /// Serves the file over the loopback interface for a run in real time.
    ///
    /// Returns its addresses, and the task to cancel.
    ///
    /// - Throws: ``PlaybackSourceError`` if it cannot listen.
    func serve() async throws(PlaybackSourceError) -> (address: ItemAddress, server: Task<Void, any Error>) {
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
        guard case .failure(let error) = await server.result else {
            throw PlaybackSourceError(path, "is no longer served")
        }
        throw PlaybackSourceError(path, "cannot be served on this machine: \(error)")
    }
}
