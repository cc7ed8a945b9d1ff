internal import SegueBase
internal import SegueNetworkModel

/// The facts about a connection for the log.
final class ConnectionRecord {
    /// The number, from 1.
    let number: Int
    let client: Endpoint
    let began: Instant
    private(set) var bytes: (down: Int, up: Int) = (0, 0)
    /// The reason for the end, if it is known before.
    var ending: ConnectionEnding?

    init(_ number: Int, client: Endpoint, began: Instant) {
        (self.number, self.client, self.began) = (number, client, began)
    }

    /// Counts bytes delivered to the receiving end of a direction.
    func count(_ count: Int, _ direction: LinkDirection) {
        switch direction {
        case .down: bytes.down += count
        case .up: bytes.up += count
        }
    }
}
