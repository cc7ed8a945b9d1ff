internal import SegueBase
internal import SegueCurl
package import SegueFetch

/// Posts alerts to a URL.
package enum AlertWebhook {
    /// The time limit of one request.
    private static let patience = Duration.seconds(10)
    /// The pauses before further attempts.
    private static let pauses = [Duration.seconds(1), .seconds(5)]

    /// The delivery of alerts to a URL, with up to three attempts each.
    ///
    /// - Throws: ``FetchError`` when libcurl cannot be set up.
    package static func delivery(to url: String) throws(FetchError) -> AlertSender.Delivery {
        let fetcher = try HookFetcher()
        return { notice in
            var reason = await fetcher.post(notice.json, to: url, patience: patience)
            for pause in pauses where reason != nil {
                try? await Task.sleep(for: pause)
                reason = await fetcher.post(notice.json, to: url, patience: patience)
            }
            return reason.map { "\(url): \($0)" }
        }
    }
}

/// Sends POST requests.
private final class HookFetcher: Sendable {
    private let pending = PendingAnswers()
    private let fetcher: LiveFetcher

    init() throws(FetchError) {
        let pending = pending
        fetcher = try LiveFetcher(FetchRecipient { pending.take($0) })
    }

    /// Returns the reason of a failure; nil after a success.
    func post(_ body: String, to url: String, patience: Duration) async -> String? {
        let answer = await withCheckedContinuation { continuation in
            guard let id = pending.expect(WatchFetcher.Answer(url: url), continuation) else { return }
            var request = FetchRequest(
                id: id,
                url: url,
                headers: [("Content-Type", "application/json")],
                patience: patience,
                limit: 1 << 20
            )
            (request.method, request.body, request.wholePatience) = ("POST", Array(body.utf8), patience)
            fetcher.start(request, at: .zero)
        }
        if let failure = answer.failure { return failure }
        return (200...299).contains(answer.status) ? nil : "the server returned \(answer.status)"
    }
}
