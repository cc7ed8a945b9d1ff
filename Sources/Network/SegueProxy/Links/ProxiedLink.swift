internal import SegueBase
internal import SegueNetworkModel

/// A link of the proxy: its network, listeners, and connections.
final class ProxiedLink {
    let name: String
    private(set) var profile: LinkProfile
    let relay: Relay
    /// The initial network.
    private let original: LinkProfile
    private var clock = LinkClock()
    var shaped: [LinkConnection: ShapedConnection] = [:]
    var spliced: [Int: SplicedConnection] = [:]
    var routes: [Route] = []
    let forwarding: ForwardRules
    /// The clients of its forward proxies.
    var forwarded: [UInt64: ForwardClient] = [:]
    var names = NameTable()
    private(set) var connectionCount = 0
    private(set) var faults: LinkFaults
    var reports = PlaylistReports()
    private var splicedBytes: (down: Int, up: Int) = (0, 0)

    /// The present instant on the link's own clock.
    var now: Instant { clock.now }

    /// A listener and its server.
    struct Route {
        let listener: Int32
        let tag: UInt64
        let bound: Endpoint
        let upstream: Upstream?
    }

    /// Creates the link of a plan, without routes.
    init(_ plan: LinkPlan) {
        (name, profile) = (plan.name, plan.network)
        original = profile
        forwarding = plan.forwarding
        faults = LinkFaults(profile, seed: plan.seed)
        relay = Relay(profile, seed: plan.seed, receiveWindow: plan.receiveWindow)
    }

    /// True if bytes can pass without inspection.
    var isTransparent: Bool { profile.isTransparent }

    /// The time of the next event, on the system's clock; nil for none.
    var nextNanoseconds: Int64? { relay.nextInstant.map { clock.nanoseconds(at: $0) } }

    /// Processes the events that are due.
    ///
    /// - Returns: The connections with work to do.
    func advance(to nanoseconds: Int64) -> [ShapedConnection] {
        clock.advance(to: nanoseconds)
        var touched: [ShapedConnection] = []
        for effect in relay.advance(to: now) {
            guard let connection = shaped[effect.connection] else {
                names.ended(effect)?.settle()
                continue
            }
            connection.handle(effect)
            touched.append(connection)
        }
        return touched
    }

    /// Switches to another network, and restarts the counts of faults.
    func become(_ profile: LinkProfile) {
        self.profile = profile
        relay.become(profile, at: now)
        faults.become(profile)
        for connection in shaped.values { connection.setBuffers() }
    }

    /// Returns to the initial network.
    func reset() { become(original) }

    /// Replaces the faults of the network.
    func setFaults(_ faults: [RequestFault]) {
        profile.faults = faults
        self.faults.become(profile)
    }

    /// The fault of a request that arrives at the server now.
    func fault(of url: String) -> RequestFault.Effect? { faults.effect(url: url, at: now) }

    /// True if requests must be parsed.
    var hasFaults: Bool { !faults.isEmpty }

    func record(of client: Endpoint) -> ConnectionRecord {
        connectionCount += 1
        return ConnectionRecord(connectionCount, client: client, began: now)
    }

    /// Counts bytes moved by the system.
    func count(_ bytes: Int, _ direction: LinkDirection) {
        switch direction {
        case .down: splicedBytes.down += bytes
        case .up: splicedBytes.up += bytes
        }
    }

    /// The delivered bytes in both directions.
    var bytes: (down: Int, up: Int) {
        (splicedBytes.down + relay.deliveredBytes.down, splicedBytes.up + relay.deliveredBytes.up)
    }

    var connections: [any ProxyConnection] { Array(shaped.values) + Array(spliced.values) }
}
