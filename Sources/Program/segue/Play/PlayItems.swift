import SegueCurl
import SegueFetch
import SeguePlayerModel
import SegueSuite

/// The items of a play command: what URLs name, and files that are served as long as it runs.
struct PlayItems {
    /// Where the player finds them, in the order of the queue.
    private(set) var addresses: [ItemAddress] = []

    private var files: [PlayedFile] = []
    private var servers: [Task<Void, any Error>] = []

    /// The items that a command names.
    ///
    /// - Parameters:
    ///   - urls: URLs and files, in the order of the queue.
    ///   - background: The playlist of the n-th one's sound alone.
    ///   - isVirtual: Whether they are for a run in virtual time, which needs no sockets.
    /// - Throws: ``PlayedPlaceError`` for the first that cannot be played.
    init(_ urls: [String], background: [String], isVirtual: Bool) async throws {
        for (index, text) in urls.enumerated() {
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
                if !isVirtual {
                    let served = try await file.serve()
                    own = served.address
                    servers.append(served.server)
                }
            }
            if index < background.count {
                own = ItemAddress(
                    full: own.full,
                    background: background[index],
                    multivariant: own.multivariant
                )
            }
            addresses.append(own)
        }
    }

    /// What answers a run in virtual time: the files, and for all else a fetcher, whose server is told the time.
    func answer(_ request: FetchRequest, else server: BlockingFetcher) -> (response: FetchResponse, body: FetchBytes) {
        answerOfFile(request) ?? server.respond(to: request.tellingTime)
    }

    /// The same of what each server is asked for once.
    func answer(_ request: FetchRequest, else server: RememberedAnswers) -> (response: FetchResponse, body: FetchBytes)
    {
        answerOfFile(request) ?? server.respond(to: request)
    }

    private func answerOfFile(_ request: FetchRequest) -> (response: FetchResponse, body: FetchBytes)? {
        files.lazy.compactMap { $0.answer(request) }.first
    }

    /// Ends the servers, and removes what they made.
    func end() async {
        for server in servers { server.cancel() }
        for server in servers { _ = await server.result }
        for file in files { file.close() }
    }
}
