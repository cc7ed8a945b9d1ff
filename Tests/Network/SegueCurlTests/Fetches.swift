import Foundation
import SegueBase
import SegueCurl
import SegueFetch
import SegueTestSupport

/// The events of requests, for a test to wait for.
final class Fetches: @unchecked Sendable {
    // All state is accessed only with `condition` locked.
    private let condition = NSCondition()
    private var events: [FetchEvent] = []
    private var expected = 0

    /// Creates a live fetcher that reports here.
    func liveFetcher(credentials: [String: FetchCredential] = [:]) throws -> LiveFetcher {
        try LiveFetcher(
            FetchRecipient(
                deliver: { self.add($0) },
                beginExpecting: { self.count(1) },
                endExpecting: { self.count(-1) }
            ),
            credentials: credentials
        )
    }

    func add(_ event: FetchEvent) {
        condition.lock()
        events.append(event)
        condition.broadcast()
        condition.unlock()
    }

    private func count(_ change: Int) {
        condition.lock()
        expected += change
        condition.broadcast()
        condition.unlock()
    }

    /// The number of open requests, as reported by the fetcher.
    var open: Int {
        condition.lock()
        defer { condition.unlock() }
        return expected
    }

    var all: [FetchEvent] {
        condition.lock()
        defer { condition.unlock() }
        return events
    }

    /// Waits for an event; nil after half a minute.
    func first(where isWanted: (FetchEvent) -> Bool) -> FetchEvent? {
        let deadline = Date(timeIntervalSinceNow: 30)
        condition.lock()
        defer { condition.unlock() }
        while true {
            if let event = events.first(where: isWanted) { return event }
            guard condition.wait(until: deadline) else { return nil }
        }
    }

    /// Waits for the end of a request.
    func result(of number: Int) -> FetchResult {
        _ = first { $0.id.number == number && ($0.isFinish || $0.error != nil) }
        return FetchResult(all.filter { $0.id.number == number })
    }
}
