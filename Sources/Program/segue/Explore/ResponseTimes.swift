import Foundation
import SegueBase
import SegueCurl
import SegueFetch

/// Measures the response time of a server, which decides the order of packets of connections that share a line.
enum ResponseTimes {
    /// The minimum number of measured responses; single slow ones are due to the machine.
    private static let fewest = 24

    /// The median time to first byte of all requests, each measured equally often.
    ///
    /// `requests` are requests that the server has answered before. Returns zero if there are none.
    ///
    /// - Throws: ``FetchError`` when libcurl cannot be set up.
    static func median(of requests: [FetchRequest]) throws(FetchError) -> Duration {
        guard !requests.isEmpty else { return .zero }
        let answers = PendingResponse()
        let fetcher = try LiveFetcher(FetchRecipient { answers.take($0) })
        defer { fetcher.close() }
        let rounds = (fewest - 1) / requests.count + 1
        let times = (0..<rounds).flatMap { _ in requests.compactMap { answers.time(of: $0, fetcher) } }
        return times.isEmpty ? .zero : times.sorted()[times.count / 2]
    }
}

/// The time of a pending request's response.
private final class PendingResponse: @unchecked Sendable {
    // Sendable: `condition` guards all properties.
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

    /// Fetches a resource within the request's timeout; nil without a response.
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
