internal import Foundation
package import SegueConformance
internal import Synchronization

/// Notices when findings begin and end, and delivers one alert for each, in order.
package final class AlertSender: Sendable {
    /// Delivers a notice; returns the reason if that failed.
    package typealias Delivery = @Sendable (AlertNotice) async -> String?

    /// The number of notices that may wait; further ones are dropped.
    private static let limit = 1000
    /// The time limit of all deliveries after the end of the watch.
    private static let patience = Duration.seconds(60)

    private let tracker: Mutex<AlertTracker>
    private let notices: AsyncStream<AlertNotice>.Continuation
    private let work: Task<Void, Never>

    /// - Parameters:
    ///   - profile: The texts whose findings are alerts.
    ///   - deliveries: The ways to deliver each notice.
    ///   - failed: Called with the reason of a failed delivery.
    package init(
        profile: Profile,
        deliveries: [Delivery],
        failed: @escaping @Sendable (String) -> Void
    ) {
        tracker = Mutex(AlertTracker(profile))
        let (waiting, notices) = AsyncStream.makeStream(
            of: AlertNotice.self,
            bufferingPolicy: .bufferingOldest(Self.limit)
        )
        self.notices = notices
        work = Task {
            for await notice in waiting {
                for deliver in deliveries { if let reason = await deliver(notice) { failed(reason) } }
            }
            if Task.isCancelled { failed("not all alerts were delivered within \(Self.patience) after the watch") }
        }
    }

    func take(_ finding: StreamWatching.Finding) {
        if let alert = tracker.withLock({ $0.take(finding) }) { notices.yield(AlertNotice(alert: alert)) }
    }

    func settle(_ stream: String, broken: Set<HeldCondition>) {
        let ended = tracker.withLock {
            $0.settle(stream, broken: broken, at: Date.now.timeIntervalSince1970)
        }
        for alert in ended { notices.yield(AlertNotice(alert: alert)) }
    }

    /// Ends the alerts of a stream that is no longer watched.
    ///
    /// Prometheus does not resolve alerts when it stops, but Alertmanager does, when their `endsAt` has passed; the
    /// receiver of a webhook has no such time and would wait forever.
    func end(_ stream: String) {
        let ended = tracker.withLock { $0.end(stream, at: Date.now.timeIntervalSince1970) }
        for alert in ended { notices.yield(AlertNotice(alert: alert)) }
    }

    /// Waits until all notices are delivered, at most a minute.
    package func finish() async {
        notices.finish()
        let limit = Task { [work] in
            try await Task.sleep(for: Self.patience)
            work.cancel()
        }
        await work.value
        limit.cancel()
    }
}
