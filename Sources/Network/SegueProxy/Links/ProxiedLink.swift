internal import CSegueSystem
internal import SegueBase
internal import SegueNetworkModel

/// A link of the proxy: its network, listeners, and connections.
final class ProxiedLink {
    let name: String
    private(set) var profile: LinkProfile
    let relay: Relay
    /// The initial network.
    private let original: LinkProfile
    private let seed: UInt64
    private let began: Int64
    var shaped: [LinkConnection: ShapedConnection] = [:]
    var spliced: [Int: SplicedConnection] = [:]
    var routes: [Route] = []
    let forwarding: ForwardRules
    /// The clients of its forward proxies.
    var forwarded: [UInt64: ForwardClient] = [:]
    var names = NameTable()
    private(set) var connectionCount = 0
    private var faults: FaultPlan
    private(set) var faultCount = 0
    /// The reported servers that no link reaches.
    private var bypassed: Set<Endpoint> = []
    private var wasUnknownTold = false
    private var splicedBytes: (down: Int, up: Int) = (0, 0)

    /// The present instant on the link's own clock.
    private(set) var now = Instant.zero

    /// A listener and its server.
    struct Route {
        let listener: Int32
        let tag: UInt64
        let bound: Endpoint
        let upstream: Upstream?
    }

    /// Creates the link of a plan, without routes.
    init(_ plan: LinkPlan) {
        (name, profile, seed) = (plan.name, plan.network, plan.seed)
        original = profile
        forwarding = plan.forwarding
        faults = FaultPlan(profile, seed: seed)
        relay = Relay(profile, seed: seed, receiveWindow: plan.receiveWindow)
        began = ssock_now()
    }

    /// True if bytes can pass without inspection.
    var isTransparent: Bool { profile.isTransparent }

    /// The time of the next event, on the system's clock; nil for none.
    var nextNanoseconds: Int64? { relay.nextInstant.map { $0.nanoseconds + began } }

    /// Processes the events that are due.
    ///
    /// - Returns: The connections with work to do.
    func advance(to nanoseconds: Int64) -> [ShapedConnection] {
        now = Instant(nanoseconds: nanoseconds - began)
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
        faults = FaultPlan(profile, seed: seed)
        for connection in shaped.values { connection.setBuffers() }
    }

    /// Returns to the initial network.
    func reset() { become(original) }

    /// Replaces the faults of the network.
    func setFaults(_ faults: [RequestFault]) {
        profile.faults = faults
        self.faults = FaultPlan(profile, seed: seed)
    }

    /// The fault of a request that arrives at the server now.
    func fault(of url: String) -> RequestFault.Effect? {
        let effect = faults.effect(url: url, at: now)
        if effect != nil { faultCount += 1 }
        return effect
    }

    /// True if requests must be parsed.
    var hasFaults: Bool { !faults.isEmpty }

    /// Returns whether a playlist with an unsupported coding has not been reported; only one is.
    func isFirstUnknown() -> Bool {
        defer { wasUnknownTold = true }
        return !wasUnknownTold
    }

    /// Returns whether a server that no link reaches has not been reported; only some dozens are.
    func isNew(bypassed server: Endpoint) -> Bool { bypassed.count < 64 && bypassed.insert(server).inserted }

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
