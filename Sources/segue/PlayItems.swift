import CurlFetch
import Fetch
import Player
import Regression

/// The items of a play command: what URLs name, and files that are served as long as it runs.
struct PlayItems {
    /// Where the player finds them, in the order of the queue.
    private(set) var addresses: [ItemAddress] = []

    private var files: [PlayedFile] = []
    private var servers: [Task<Void, any Error>] = []

    /// The items that a command names.
    ///
    /// - Throws: ``PlayedPlaceError`` for the first that cannot be played.
    init(of command: PlayCommand) async throws {
        for (index, text) in command.urls.enumerated() {
            var own: ItemAddress
            switch try PlayedPlace(text) {
            case .url(let url):
                own = ItemAddress(
                    full: url,
                    background: ServedItemURL.background(of: url),
                    multivariant: ServedItemURL.multivariant(of: url)
                )
            case .file(let path):
                let file = try PlayedFile(path: path, number: files.count + 1)
                files.append(file)
                own = file.address
                if !command.virtual {
                    let served = try await file.serve()
                    own = served.address
                    servers.append(served.server)
                }
            }
            if index < command.background.count {
                own = ItemAddress(
                    full: own.full,
                    background: command.background[index],
                    multivariant: own.multivariant
                )
            }
            addresses.append(own)
        }
    }

    /// What answers a run in virtual time: the files, and for all else a fetcher.
    func answer(_ request: FetchRequest, else server: BlockingFetcher) -> (response: FetchResponse, body: FetchBytes) {
        files.lazy.compactMap { $0.answer(request) }.first ?? server.respond(to: request)
    }

    /// Ends the servers, and removes what they made.
    func end() async {
        for server in servers { server.cancel() }
        for server in servers { _ = await server.result }
        for file in files { file.close() }
    }
}
