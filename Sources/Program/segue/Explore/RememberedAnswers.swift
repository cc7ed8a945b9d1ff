import Foundation
import SegueCurl
import SegueFetch

/// What servers answered to the runs of one search, each request put to them once.
///
/// What would take too much memory is asked for again.
final class RememberedAnswers: @unchecked Sendable {
    private struct Question: Hashable {
        let url: String
        let range: FetchRange?
        let isHead: Bool
    }

    private static let mostBytes = 256 << 20

    // The fetcher, like what is remembered, is used by one thread at a time.
    private let lock = NSLock()
    private let server: BlockingFetcher
    private var answers: [Question: (response: FetchResponse, body: FetchBytes)] = [:]
    private var bytes = 0

    init(_ server: BlockingFetcher) { self.server = server }

    /// The answer to a request.
    func respond(to request: FetchRequest) -> (response: FetchResponse, body: FetchBytes) {
        let question = Question(url: request.url, range: request.range, isHead: request.isHead)
        return lock.withLock {
            if let answer = answers[question] { return answer }
            let answer = server.respond(to: request)
            if bytes + answer.body.count <= Self.mostBytes {
                bytes += answer.body.count
                answers[question] = answer
            }
            return answer
        }
    }
}
