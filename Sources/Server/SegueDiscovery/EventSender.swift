import Foundation
import SegueCurl
package import SegueUPnP
import Synchronization

/// Sends notices to those who subscribed to a service, each subscriber's one after another, so that they come in order.
package final class EventSender: Sendable {
    /// How long a subscriber may take for a notice.
    private static let patience = Duration.seconds(5)
    /// How long the first notice waits, which is not to overtake the answer to the subscription.
    private static let pause = Duration.milliseconds(100)
    /// The most notices that wait; further ones are lost, which a subscriber sees by their numbers.
    private static let most = 256

    private let queues = Mutex<[String: [Subscriptions.Notice]]>([:])

    /// A sender with nothing to send.
    package init() {}

    /// Sends a notice as soon as those before it have gone; returns at once.
    package func send(_ notice: Subscriptions.Notice) {
        let isFirst = queues.withLock { queues -> Bool? in
            guard queues.values.reduce(0, { $0 + $1.count }) < Self.most else { return nil }
            queues[notice.id, default: []].append(notice)
            return queues[notice.id]?.count == 1
        }
        if isFirst == true { Task { await sendAll(of: notice.id) } }
    }

    private func sendAll(of id: String) async {
        // Nothing tells when the answer has gone out. Subscribers ought to take either order
        // (UPnP Device Architecture, eventing), but one that does not drops a notice whose number it has not read yet.
        try? await Task.sleep(for: Self.pause)
        while let notice = queues.withLock({ $0[id]?.first }) {
            // Who does not take it is not told why, and asks again when it wants to.
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
                // A subscriber is told where it is, and sends us nowhere else.
                followsRedirects: false
            ).fetch()
            queues.withLock { queues in
                queues[id]?.removeFirst()
                if queues[id]?.isEmpty == true { queues[id] = nil }
            }
        }
    }
}
