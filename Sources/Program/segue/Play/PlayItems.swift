import SegueCurl
import SegueFetch
import SeguePlayerModel
import SegueSuite

/// The items of a play command: URLs, and local files that are served during the run.
struct PlayItems {
    /// The addresses in the order of the queue.
    private(set) var addresses: [ItemAddress] = []

    private var files: [PlayedFile] = []
    private var servers: [Task<Void, any Error>] = []

    /// - Parameters:
    ///   - urls: URLs and files, in the order of the queue.
    ///   - background: The audio-only playlist of the n-th one.
    ///   - isVirtual: True if the run is in virtual time, which needs no sockets.
    /// - Throws: ``PlaybackSourceError`` for the first that cannot be played.
    init(_ urls: [String], background: [String], isVirtual: Bool) async throws {
        for (index, text) in urls.enumerated() {
            var own: ItemAddress
            switch try PlaybackSource(text) {
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

    /// Answers a request of a run in virtual time, from the local files or a fetcher whose server uses the run's time.
    func answer(
        _ request: FetchRequest,
        at pace: RealPace,
        else server: BlockingFetcher
    ) -> (response: FetchResponse, body: FetchBytes) {
        answerOfFile(request)
            ?? pace.answer(request, head: { $0.response }) { server.respond(to: $0.tellingTime) }
    }

    /// The same with cached server responses.
    func answer(_ request: FetchRequest, else server: SearchResponseCache) -> (
        response: FetchResponse, body: FetchBytes
    ) {
        answerOfFile(request) ?? server.respond(to: request)
    }

    private func answerOfFile(_ request: FetchRequest) -> (response: FetchResponse, body: FetchBytes)? {
        files.lazy.compactMap { $0.answer(request) }.first
    }

    /// Stops the servers and deletes their files.
    func end() async {
        for server in servers { server.cancel() }
        for server in servers { _ = await server.result }
        for file in files { file.close() }
    }
}
