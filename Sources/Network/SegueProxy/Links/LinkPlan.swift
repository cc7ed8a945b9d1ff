package import SegueData
package import SegueNetworkModel

/// The configuration of a link.
package struct LinkPlan: Sendable {
    /// A listener, and the server behind it.
    package struct Route: Sendable, Equatable {
        /// The address of the listener; port 0 picks a free port.
        package var listen: Endpoint
        /// The server; nil for a forward proxy, whose clients name servers.
        package var server: Endpoint?

        package init(listen: Endpoint, server: Endpoint?) { (self.listen, self.server) = (listen, server) }
    }

    package var name: String

    package var network: LinkProfile

    /// The seed of all randomness.
    package var seed: UInt64

    /// The receive window of both ends of each connection, independent of the proxy's own sockets.
    package var receiveWindow: ReceiveWindow

    /// The listeners, which share the link.
    package var routes: [Route]

    /// The restrictions of its forward proxies.
    package var forwarding: ForwardRules

    package init(
        name: String,
        network: LinkProfile,
        seed: UInt64 = 1,
        receiveWindow: ReceiveWindow = .tuned,
        routes: [Route],
        forwarding: ForwardRules = ForwardRules()
    ) {
        self.name = name
        self.network = network
        self.seed = seed
        self.receiveWindow = receiveWindow
        self.routes = routes
        self.forwarding = forwarding
    }
}
