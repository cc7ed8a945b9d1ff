package import SegueOrigin
import Synchronization

/// What a running server can do otherwise from one moment to the next, without its clients noticing.
package struct LiveSettings: Sendable {
    /// What each address may.
    package var allowance: AddressAllowance
    /// Reverse proxies whose word is taken for whose request it is.
    package var trusted: [AddressRange]
    /// How many bytes a second a client has to take at the least.
    package var minimumRate: Int
    /// The hosts under which the server may be asked; nil for any.
    package var hosts: AllowedHosts?
    /// Whose pages may read the answers.
    package var origins: CrossOrigin

    /// Settings.
    package init(_ fairness: OriginServer.Fairness, hosts: AllowedHosts?, origins: CrossOrigin) {
        (allowance, trusted, minimumRate) = (fairness.allowance, fairness.trusted, fairness.minimumRate)
        (self.hosts, self.origins) = (hosts, origins)
    }
}

/// Reaches into a running server, whoever wants to and from any thread; nothing where none runs.
package final class ServerHandle: Sendable {
    /// What a server does when it is told to.
    struct Actions: Sendable {
        var look: @Sendable () -> Void = {}
        var change: @Sendable (LiveSettings) -> Void = { _ in }
        var lookAtCertificate: @Sendable () -> Void = {}
    }

    private let actions = Mutex(Actions())

    /// One that reaches no server yet.
    package init() {}

    /// Has the server look for new files at once.
    package func look() { actions.withLock { $0.look }() }

    /// Has the server do as other settings say.
    package func change(_ settings: LiveSettings) { actions.withLock { $0.change }(settings) }

    /// Has the server look at once whether its certificate has changed.
    package func lookAtCertificate() { actions.withLock { $0.lookAtCertificate }() }

    /// Says what is to be done.
    func connect(_ change: (inout Actions) -> Void) { actions.withLock { change(&$0) } }

    /// Says that the server has ended.
    func disconnect() { actions.withLock { $0 = Actions() } }
}
