package import Fetch
internal import Foundation
internal import Media
internal import Origin
internal import Packager
package import Player

/// A file on this machine, served within this process as `segue serve` would serve it.
package final class PlayedFile: Sendable {
    private let origin: ItemOrigin
    private let path: String

    /// A file that can be played.
    ///
    /// - Parameters:
    ///   - path: Its path.
    ///   - number: Tells it from other files of a run, from 1.
    /// - Throws: ``PlayedPlaceError`` when it is none, with the reason.
    package init(path: String, number: Int) throws(PlayedPlaceError) {
        self.path = path
        let host = number == 1 ? ItemOrigin.usualHost : "\(number).\(ItemOrigin.usualHost)"
        do {
            origin = try ItemOrigin(path: Array(path.utf8), device: .any, host: host, cancellation: Cancellation())
            _ = try origin.get(origin.playlist(of: .full))
        } catch let error as ItemOriginError {
            throw PlayedPlaceError(path, error.reason)
        } catch {
            throw PlayedPlaceError(path, "\(error)")
        }
    }

    /// Its addresses for a run in virtual time, whose requests are to be answered by ``answer(_:)``.
    package var address: ItemAddress { address(at: origin.base) }

    /// Answers a request of a run in virtual time; nil for one of something else.
    package func answer(_ request: FetchRequest) -> (response: FetchResponse, body: FetchBytes)? {
        request.url.hasPrefix(origin.base + "/") ? origin.respond(to: request) : nil
    }

    /// Serves it over the loopback interface, for a run in real time.
    ///
    /// - Returns: Its addresses, and what serves it, to be cancelled.
    /// - Throws: ``PlayedPlaceError`` when nothing can be listened on.
    package func serve() async throws(PlayedPlaceError) -> (address: ItemAddress, server: Task<Void, any Error>) {
        let (bases, came) = AsyncStream.makeStream(of: String.self)
        let origin = origin
        let server = Task {
            defer { came.finish() }
            try await OriginServer.run(.init(host: "127.0.0.1")) { request, cancellation in
                origin.respond(to: request, cancellation)
            } onReady: { address in
                came.yield("http://\(address)")
            }
        }
        for await base in bases { return (address(at: base), server) }
        guard case .failure(let error) = await server.result else { throw PlayedPlaceError(path, "is served no more") }
        throw PlayedPlaceError(path, "cannot be served on this machine: \(error)")
    }

    /// Removes what the server made on the disk.
    package func close() { origin.close() }

    private func address(at base: String) -> ItemAddress {
        func moved(_ url: String) -> String { base + url.dropFirst(origin.base.count) }
        return ItemAddress(
            full: moved(origin.playlist(of: .full)),
            background: moved(origin.playlist(of: .background)),
            multivariant: moved(origin.multivariantPlaylist)
        )
    }
}
