package import SegueConcurrency
package import SegueFetch
import SegueFFmpeg
package import SegueOrigin
internal import SeguePackager
package import SeguePlayerModel

/// A file on this machine, answered for within this process as `segue serve` would answer for it.
package final class PlayedFile: Sendable {
    private let origin: ItemOrigin

    /// The file's path.
    package let path: String

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

    /// Its addresses on a server that answers with ``respond(to:_:)``.
    ///
    /// - Parameter base: What the server's URLs begin with, `http://HOST:PORT`.
    /// - Returns: The addresses.
    package func address(at base: String) -> ItemAddress {
        func moved(_ url: String) -> String { base + url.dropFirst(origin.base.count) }
        return ItemAddress(
            full: moved(origin.playlist(of: .full)),
            background: moved(origin.playlist(of: .background)),
            multivariant: moved(origin.multivariantPlaylist)
        )
    }

    /// Answers a request of a run in virtual time; nil for one of something else.
    package func answer(_ request: FetchRequest) -> (response: FetchResponse, body: FetchBytes)? {
        request.url.hasPrefix(origin.base + "/") ? origin.respond(to: request) : nil
    }

    /// Answers a request that came over a socket.
    package func respond(to request: OriginRequest, _ cancellation: Cancellation) -> OriginResponse {
        origin.respond(to: request, cancellation)
    }

    /// Removes what the server made on the disk.
    package func close() { origin.close() }
}
