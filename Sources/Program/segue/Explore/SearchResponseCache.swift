import Foundation
import SegueCurl
import SegueFetch

/// A cache of server responses for the runs of one search.
///
/// Responses beyond the memory limit are fetched again.
final class SearchResponseCache: @unchecked Sendable {
    private struct Question: Hashable {
        let url: String
        let range: FetchRange?
        let isHead: Bool
    }

    private static let mostBytes = 256 << 20

    // The fetcher and the cache are used by one thread at a time.
    private let lock = NSLock()
    private let server: BlockingFetcher
    private let pace = RealPace(isShared: true)
    private var answers: [Question: (response: FetchResponse, body: FetchBytes)] = [:]
    private var bytes = 0

    init(_ server: BlockingFetcher) { self.server = server }

    func respond(to request: FetchRequest) -> (response: FetchResponse, body: FetchBytes) {
        let question = Question(url: request.url, range: request.range, isHead: request.isHead)
        return lock.withLock {
            if let answer = answers[question] { return answer }
            let answer = pace.answer(request, head: { $0.response }, server.respond)
            if bytes + answer.body.count <= Self.mostBytes {
                bytes += answer.body.count
                answers[question] = answer
            }
            return answer
        }
    }
}
