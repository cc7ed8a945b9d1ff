import Foundation
import SegueBase
import SegueCurl
import SegueFetch

/// How long a server takes until it answers, which decides between connections that share a line: whether the other one's
/// handshake comes before an answer or behind all of its first flight.
enum AnswerTimes {
    /// How many answers are timed at least, where there are requests: what was slow once was the machine.
    private static let fewest = 24

    /// The time from a request to its answer's head in the middle of those of all requests, each asked as often as the
    /// others.
    ///
    /// - Parameter requests: Requests that the server has answered before.
    /// - Returns: The time; zero for no requests, and where none is answered.
    /// - Throws: ``FetchError`` when libcurl cannot be set up.
    static func median(of requests: [FetchRequest]) throws(FetchError) -> Duration {
        guard !requests.isEmpty else { return .zero }
        let answers = FirstAnswer()
        let fetcher = try LiveFetcher(FetchRecipient { answers.take($0) })
        defer { fetcher.close() }
        let rounds = (fewest - 1) / requests.count + 1
        let times = (0..<rounds).flatMap { _ in requests.compactMap { answers.time(of: $0, fetcher) } }
        return times.isEmpty ? .zero : times.sorted()[times.count / 2]
    }
}

/// When a request was answered that is waited for.
private final class FirstAnswer: @unchecked Sendable {
    // Sendable: everything is only touched with `condition` locked.
    private let condition = NSCondition()
    private var answered: ContinuousClock.Instant?
    private var hasEnded = false

    func take(_ event: FetchEvent) {
        let now = ContinuousClock.now
        condition.lock()
        defer { condition.unlock() }
        switch event {
        case .response: answered = answered ?? now
        case .data: break
        case .finished, .failed:
            hasEnded = true
            condition.broadcast()
        }
    }

    /// Fetches something whole, which the request's own patience bounds; nil where it is never answered.
    func time(of request: FetchRequest, _ fetcher: LiveFetcher) -> Duration? {
        condition.lock()
        (answered, hasEnded) = (nil, false)
        condition.unlock()
        let begun = ContinuousClock.now
        fetcher.start(request, at: .zero)
        condition.lock()
        defer { condition.unlock() }
        while !hasEnded { condition.wait() }
        return answered.map { $0 - begun }
    }
}
