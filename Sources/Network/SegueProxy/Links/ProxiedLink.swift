internal import CSegueSystem
internal import SegueBase
internal import SegueNetworkModel

/// A link that a proxy runs: its network, its listeners and the connections on it.
final class ProxiedLink {
    let name: String
    private(set) var profile: LinkProfile
    let relay: Relay
    /// The network with which it began.
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
    /// Servers around the link of which somebody was told.
    private var bypassed: Set<Endpoint> = []
    private var wasUnknownTold = false
    private var splicedBytes: (down: Int, up: Int) = (0, 0)

    /// The present instant on the link's own clock.
    private(set) var now = Instant.zero

    /// Where a link is listened for, and which server it leads to.
    struct Route {
        let listener: Int32
        let tag: UInt64
        let bound: Endpoint
        let upstream: Upstream?
    }

    /// The link of a plan, without its routes.
    init(_ plan: LinkPlan) {
        (name, profile, seed) = (plan.name, plan.network, plan.seed)
        original = profile
        forwarding = plan.forwarding
        faults = FaultPlan(profile, seed: seed)
        relay = Relay(profile, seed: seed, receiveWindow: plan.receiveWindow)
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
            guard let connection = shaped[effect.connection] else {
                names.ended(effect)?.settle()
                continue
            }
            connection.handle(effect)
            touched.append(connection)
        }
        return touched
    }

    /// Becomes another network; its faults are counted from the beginning.
    func become(_ profile: LinkProfile) {
        self.profile = profile
        relay.become(profile, at: now)
        faults = FaultPlan(profile, seed: seed)
        for connection in shaped.values { connection.setBuffers() }
    }

    /// Becomes what it was in the beginning.
    func reset() { become(original) }

    /// Has other faults, and is the same network otherwise.
    func setFaults(_ faults: [RequestFault]) {
        profile.faults = faults
        self.faults = FaultPlan(profile, seed: seed)
    }

    /// Which fault a request meets that comes to the server now.
    func fault(of url: String) -> RequestFault.Effect? {
        let effect = faults.effect(url: url, at: now)
        if effect != nil { faultCount += 1 }
        return effect
    }

    /// Whether requests have to be looked at.
    var hasFaults: Bool { !faults.isEmpty }

    /// Whether nobody was told yet that a playlist's coding is not known; one is told of.
    func isFirstUnknown() -> Bool {
        defer { wasUnknownTold = true }
        return !wasUnknownTold
    }

    /// Whether nobody was told yet that a server is reached around the link; some dozens are told of.
    func isNew(bypassed server: Endpoint) -> Bool { bypassed.count < 64 && bypassed.insert(server).inserted }

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
