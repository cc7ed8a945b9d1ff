import SegueCurl
import SegueFetch
import SegueSuite

/// The client of a title's server over the network.
final class LiveTitleServer: TitleServer {
    private let fetcher: BlockingFetcher
    private let pace = RealPace(isShared: true)

    /// - Throws: ``FetchError`` when libcurl cannot be set up.
    init(_ title: Title) throws {
        let hosts = title.credential?.forHosts(of: [title.url]) ?? [:]
        fetcher = try BlockingFetcher(credentials: hosts)
    }

    func ask(_ request: FetchRequest) -> TimedAnswer {
        pace.answer(request, head: { $0.response }, fetcher.timed)
    }

    /// Returns whether a URL responds with a status below 400, requested once.
    static func answers(_ url: String) -> Bool {
        guard let fetcher = try? BlockingFetcher() else { return false }
        let request = FetchRequest(id: FetchID(1), url: url, patience: .seconds(5))
        let (response, _) = fetcher.respond(to: request)
        return response.failure == nil && (200..<400).contains(response.status)
    }
}
