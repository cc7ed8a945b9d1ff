internal import SegueBase
internal import SegueNetworkModel

/// What is to be told of a connection.
final class ConnectionRecord {
    /// Counts from 1.
    let number: Int
    let client: Endpoint
    let began: Instant
    private(set) var bytes: (down: Int, up: Int) = (0, 0)
    /// Why it ends, where that is known before it does.
    var ending: String?

    init(_ number: Int, client: Endpoint, began: Instant) {
        (self.number, self.client, self.began) = (number, client, began)
    }

    /// Bytes were handed to the receiving end of a direction.
    func count(_ count: Int, _ direction: LinkDirection) {
        switch direction {
        case .down: bytes.down += count
        case .up: bytes.up += count
        }
    }
}
