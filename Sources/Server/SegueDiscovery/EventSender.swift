import Foundation
import SegueCurl
package import SegueUPnP
import Synchronization

/// A sender of notices to UPnP subscribers, one at a time for each, so that they arrive in order.
package final class EventSender: Sendable {
    /// The time limit of a notice.
    private static let patience = Duration.seconds(5)
    /// The delay of the first notice, which must not overtake the response to the subscription.
    private static let pause = Duration.milliseconds(100)
    /// The maximum number of queued notices; further ones are lost, which subscribers detect by the sequence numbers.
    private static let most = 256

    private let queues = Mutex<[String: [Subscriptions.Notice]]>([:])

    package init() {}

    /// Queues a notice; returns at once.
    package func send(_ notice: Subscriptions.Notice) {
        let isFirst = queues.withLock { queues -> Bool? in
            guard queues.values.reduce(0, { $0 + $1.count }) < Self.most else { return nil }
            queues[notice.id, default: []].append(notice)
            return queues[notice.id]?.count == 1
        }
        if isFirst == true { Task { await sendAll(of: notice.id) } }
    }

    private func sendAll(of id: String) async {
        // Nothing reports the end of the response. Subscribers should accept either order (UPnP Device Architecture,
        // eventing), but some drop a notice whose subscription they do not know yet.
        try? await Task.sleep(for: Self.pause)
        while let notice = queues.withLock({ $0[id]?.first }) {
            // A failed notice is not repeated; the subscriber subscribes again.
            _ = try? await HTTPFetcher(
                notice.url,
                method: "NOTIFY",
                headers: [
                    ("Content-Type", "text/xml; charset=\"utf-8\""), ("NT", "upnp:event"), ("NTS", "upnp:propchange"),
                    ("SID", notice.id), ("SEQ", "\(notice.number)"),
                ],
                body: Array(notice.body.utf8),
                timeouts: .init(connecting: Self.patience, idle: Self.patience, whole: Self.patience),
                limit: 4096,
                // A redirect could send the notice to another host.
                followsRedirects: false
            ).fetch()
            queues.withLock { queues in
                queues[id]?.removeFirst()
                if queues[id]?.isEmpty == true { queues[id] = nil }
            }
        }
    }
}
