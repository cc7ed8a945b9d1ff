internal import CSockets
internal import Link
internal import Timeline

/// A link that a proxy runs: its network, its listeners and the connections on it.
final class ProxiedLink {
    let name: String
    private(set) var profile: LinkProfile
    private(set) var relay: Relay
    private let seed: UInt64
    private let began: Int64
    var shaped: [LinkConnection: ShapedConnection] = [:]
    var spliced: [Int: SplicedConnection] = [:]
    var routes: [Route] = []
    private(set) var connectionCount = 0
    private var splicedBytes: (down: Int, up: Int) = (0, 0)

    /// The present instant on the link's own clock.
    private(set) var now = Instant.zero

    /// Where a link is listened for, and which server it leads to.
    struct Route {
        let listener: Int32
        let tag: UInt64
        let bound: Endpoint
        let upstream: Upstream
    }

    init(name: String, profile: LinkProfile, seed: UInt64) {
        (self.name, self.profile, self.seed) = (name, profile, seed)
        relay = Relay(profile, seed: seed)
        began = ssock_now()
    }

    /// Whether bytes can go through without being looked at.
    var isTransparent: Bool { profile.isTransparent }

    /// When something happens on the link, on the system's clock; nil when nothing will.
    var nextNanoseconds: Int64? { relay.nextInstant.map { $0.nanoseconds + began } }

    /// Lets happen what is due.
    ///
    /// - Returns: The connections for which there is something to do.
    func advance(to nanoseconds: Int64) -> [ShapedConnection] {
        now = Instant(nanoseconds: nanoseconds - began)
        var touched: [ShapedConnection] = []
        for effect in relay.advance(to: now) {
            guard let connection = shaped[effect.connection] else { continue }
            connection.handle(effect)
            touched.append(connection)
        }
        return touched
    }

    /// A record for a client that has come.
    func record(of client: Endpoint) -> ConnectionRecord {
        connectionCount += 1
        return ConnectionRecord(connectionCount, client: client, began: now)
    }

    /// The system has moved bytes of a direction.
    func count(_ bytes: Int, _ direction: LinkDirection) {
        switch direction {
        case .down: splicedBytes.down += bytes
        case .up: splicedBytes.up += bytes
        }
    }

    /// How many bytes have come each way.
    var bytes: (down: Int, up: Int) {
        (splicedBytes.down + relay.deliveredBytes.down, splicedBytes.up + relay.deliveredBytes.up)
    }

    /// All its connections.
    var connections: [any ProxyConnection] { Array(shaped.values) + Array(spliced.values) }
}
