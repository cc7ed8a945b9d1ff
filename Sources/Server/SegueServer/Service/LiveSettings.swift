package import SegueOrigin
import Synchronization

/// The settings that can change while a server runs, unnoticed by its clients.
package struct LiveSettings: Sendable {
    /// The limits of each address.
    package var allowance: AddressAllowance
    /// The reverse proxies whose forwarding fields are trusted.
    package var proxies: TrustedProxies
    /// The minimum rate in bytes per second at which a client receives.
    package var minimumRate: Int
    /// The hosts that requests may name; nil for any.
    package var hosts: AllowedHosts?
    /// The origins whose pages may read responses.
    package var origins: CrossOrigin

    package init(_ fairness: OriginServer.Fairness, hosts: AllowedHosts?, origins: CrossOrigin) {
        (allowance, proxies, minimumRate) = (fairness.allowance, fairness.proxies, fairness.minimumRate)
        (self.hosts, self.origins) = (hosts, origins)
    }
}

/// A handle to change a running server from any thread; without a server it has no effect.
package final class ServerHandle: Sendable {
    /// The actions of a running server.
    struct Actions: Sendable {
        var look: @Sendable () -> Void = {}
        var change: @Sendable (LiveSettings) -> Void = { _ in }
        var lookAtCertificate: @Sendable () -> Void = {}
    }

    private let actions = Mutex(Actions())

    package init() {}

    /// Scans for new files at once.
    package func look() { actions.withLock { $0.look }() }

    /// Applies new settings.
    package func change(_ settings: LiveSettings) { actions.withLock { $0.change }(settings) }

    /// Checks at once for a changed certificate.
    package func lookAtCertificate() { actions.withLock { $0.lookAtCertificate }() }

    func connect(_ change: (inout Actions) -> Void) { actions.withLock { change(&$0) } }

    /// Removes the actions of a server that has ended.
    func disconnect() { actions.withLock { $0 = Actions() } }
}
