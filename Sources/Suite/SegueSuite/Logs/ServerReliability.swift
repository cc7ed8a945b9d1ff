internal import SegueBase
internal import SegueConformance
package import SegueEvents
package import SegueFetch
internal import Synchronization

/// The reliability of servers over a real network, as a run shows it.
package final class ServerReliability: Sendable {
    /// Choice: one failure may be a coincidence.
    private static let leastLate = 2

    private let use = Mutex(ConnectionUse())

    package init() {}

    /// A recipient that counts the responses of a fetcher on their way to another recipient.
    package func counting(for recipient: FetchRecipient) -> FetchRecipient {
        FetchRecipient(
            deliver: { [self] event in
                if case .response(_, let response) = event { use.withLock { $0.add(response.connection) } }
                recipient.deliver(event)
            },
            beginExpecting: recipient.beginExpecting,
            endExpecting: recipient.endExpecting
        )
    }

    /// The findings of a run.
    package func findings(_ log: EventLog) -> [Finding] {
        [Self.secondTries(log), lostRequests(at: log.events.last?.at ?? .zero)].compactMap(\.self)
    }

    /// The finding on kept connections that end without a response.
    private func lostRequests(at end: Instant) -> Finding? {
        let use = use.withLock { $0 }
        guard use.isUnreliable else { return nil }
        return Finding(.connectionsLost, ClientRules.lost(use), at: end.seconds)
    }

    /// The finding on resources that fail with the first request and load with a later one.
    static func secondTries(_ log: EventLog) -> Finding? {
        var urls: [Int: String] = [:], statuses: [Int: Int] = [:]
        var failures: [String: Message] = [:]
        var (loads, late): (Int, [(url: String, failure: Message, at: Double)]) = (0, [])
        for event in log.events {
            switch event.kind {
            case .requestBegan(let request, let url, _): urls[request] = url
            case .requestAnswered(let request, let status): statuses[request] = status
            case .requestCancelled(let request, _): (urls[request], statuses[request]) = (nil, nil)
            case .requestFailed(let request, let reason, _):
                guard let url = urls.removeValue(forKey: request), transient.contains(reason) else { continue }
                failures[url] = "the request failed (\(quoting: reason))"
            case .requestFinished(let request, _, _):
                guard let url = urls.removeValue(forKey: request) else { continue }
                let status = statuses.removeValue(forKey: request) ?? 0
                if isFailure(status) { failures[url] = "the server returned \(status)" }
                guard (200...299).contains(status) else { continue }
                loads += 1
                if let failure = failures.removeValue(forKey: url) { late.append((url, failure, event.at.seconds)) }
            default: continue
            }
        }
        guard late.count >= leastLate, let first = late.first else { return nil }
        let message: Message =
            "\(late.count) of \(loads) resources failed with the first request and loaded with a later one, such as "
            + "\(value: first.url): \(first.failure)"
        return Finding(.secondTry, message, at: first.at)
    }

    /// The reasons of failures that another request may not have.
    private static let transient = Set(
        [FetchError.Reason.connectionLost, .truncated, .cannotConnect].map(\.rawValue)
    )

    /// Returns true for statuses of a server at fault; 429 and 503 may be those of one that is busy.
    private static func isFailure(_ status: Int) -> Bool {
        [403, 404, 408, 410].contains(status) || (500...599).contains(status) && status != 503
    }
}
