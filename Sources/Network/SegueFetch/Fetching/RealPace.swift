internal import Foundation
internal import SegueBase

/// Keeps the requests of virtual time from reaching a real server faster than they would in real time.
///
/// A run in virtual time sends within milliseconds the requests of minutes, so a server with a limit of requests refuses
/// some that it would serve a real player. When it refuses a request with 429 or 503, the pace waits until as much time
/// has passed for the server as for the run, and sends the request again. Only the second response counts, so the run
/// has the outcome of a player in real time. Responses that are not refused take no real time.
package struct RealPace: Sendable {
    /// A clock with the time since the start of the run, and a wait.
    package struct Clock: Sendable {
        let elapsed: @Sendable () -> Duration
        let wait: @Sendable (Duration) -> Void

        package init(elapsed: @escaping @Sendable () -> Duration, wait: @escaping @Sendable (Duration) -> Void) {
            (self.elapsed, self.wait) = (elapsed, wait)
        }

        /// The machine's clock, from now on.
        package static func real() -> Clock {
            let began = ContinuousClock.now
            return Clock(elapsed: { ContinuousClock.now - began }, wait: { Thread.sleep(forTimeInterval: $0.seconds) })
        }
    }

    /// The maximum wait for one response.
    private static let longest = Duration.seconds(60)
    /// The maximum number of requests for one response of a server that several runs share.
    private static let mostRequests = 4

    private let clock: Clock
    private let isShared: Bool

    /// - Parameters:
    ///   - clock: The clock.
    ///   - isShared: True if several runs share the server, so that a refusal may be due to another run. The pace then
    ///     waits as long as the server requests.
    package init(_ clock: Clock = .real(), isShared: Bool = false) { (self.clock, self.isShared) = (clock, isShared) }

    /// Returns the response to a request of virtual time.
    ///
    /// - Parameter ask: Sends the request, and returns the response.
    package func answer<Answer>(
        _ request: FetchRequest,
        head: (Answer) -> FetchResponse,
        _ ask: (FetchRequest) -> Answer
    ) -> Answer {
        var answer = ask(request)
        for _ in 1..<(isShared ? Self.mostRequests : 2) {
            guard let wait = wait(after: head(answer), of: request), wait > .zero else { break }
            clock.wait(min(wait, Self.longest))
            answer = ask(request)
        }
        return answer
    }

    /// Returns the wait before a refused request is sent again; nil if the refusal counts.
    private func wait(after response: FetchResponse, of request: FetchRequest) -> Duration? {
        guard [429, 503].contains(response.status) else { return nil }
        if isShared { return RetryAfter.delay(in: response.headers) ?? (response.status == 429 ? .seconds(1) : nil) }
        return request.cameAt.map { ($0 - .zero) - clock.elapsed() }
    }
}
