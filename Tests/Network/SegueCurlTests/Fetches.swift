import Foundation
import SegueBase
import SegueCurl
import SegueFetch
import SegueTestSupport

/// What became of requests, for a test to wait for.
final class Fetches: @unchecked Sendable {
    // Everything is only touched with `condition` locked.
    private let condition = NSCondition()
    private var events: [FetchEvent] = []
    private var expected = 0

    /// A live fetcher that tells here.
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

    /// How many requests are open as the fetcher says.
    var open: Int {
        condition.lock()
        defer { condition.unlock() }
        return expected
    }

    /// All events so far.
    var all: [FetchEvent] {
        condition.lock()
        defer { condition.unlock() }
        return events
    }

    /// Waits for an event; nil when it takes half a minute.
    func first(where isWanted: (FetchEvent) -> Bool) -> FetchEvent? {
        let deadline = Date(timeIntervalSinceNow: 30)
        condition.lock()
        defer { condition.unlock() }
        while true {
            if let event = events.first(where: isWanted) { return event }
            guard condition.wait(until: deadline) else { return nil }
        }
    }

    /// Waits until a request is over.
    func result(of number: Int) -> FetchResult {
        _ = first { $0.id.number == number && ($0.isFinish || $0.error != nil) }
        return FetchResult(all.filter { $0.id.number == number })
    }
}
