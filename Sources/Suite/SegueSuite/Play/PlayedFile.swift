package import SegueConcurrency
package import SegueFetch
import SegueFFmpeg
package import SegueOrigin
internal import SeguePackager
package import SeguePlayerModel

/// A local file, served within this process as `segue serve` would serve it.
package final class PlayedFile: Sendable {
    private let origin: ItemOrigin

    package let path: String

    /// `number` is the number of the file in the run, from 1.
    ///
    /// - Throws: ``PlaybackSourceError`` if it cannot be played.
    package init(path: String, number: Int) throws(PlaybackSourceError) {
        self.path = path
        let host = number == 1 ? ItemOrigin.usualHost : "\(number).\(ItemOrigin.usualHost)"
        do {
            origin = try ItemOrigin(path: Array(path.utf8), device: .any, host: host, cancellation: Cancellation())
            _ = try origin.get(origin.playlist(of: .full))
        } catch let error as ItemOriginError {
            throw PlaybackSourceError(path, error.reason)
        } catch let error as PackagingError where error.file == path {
            throw PlaybackSourceError(path, error.message)
        } catch {
            throw PlaybackSourceError(path, "\(error)")
        }
    }

    /// Its addresses in virtual time, whose requests ``answer(_:)`` answers.
    package var address: ItemAddress { address(at: origin.base) }

    /// Its addresses on a server that uses ``respond(to:_:)``.
    ///
    /// `base` is the prefix of the server's URLs, `http://HOST:PORT`.
    package func address(at base: String) -> ItemAddress {
        func moved(_ url: String) -> String { base + url.dropFirst(origin.base.count) }
        return ItemAddress(
            full: moved(origin.playlist(of: .full)),
            background: moved(origin.playlist(of: .background)),
            multivariant: moved(origin.multivariantPlaylist)
        )
    }

    /// Answers a request in virtual time; nil for requests of other items.
    package func answer(_ request: FetchRequest) -> (response: FetchResponse, body: FetchBytes)? {
        request.url.hasPrefix(origin.base + "/") ? origin.respond(to: request) : nil
    }

    /// Answers a request from a socket.
    package func respond(to request: OriginRequest, _ cancellation: Cancellation) -> OriginResponse {
        origin.respond(to: request, cancellation)
    }

    /// Deletes the server's temporary files.
    package func close() { origin.close() }
}
