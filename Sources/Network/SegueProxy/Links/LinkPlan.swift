package import SegueData
package import SegueNetworkModel

/// A link to run: its network, where it is listened for and where that leads.
package struct LinkPlan: Sendable {
    /// One place to listen, and the server behind it.
    package struct Route: Sendable, Equatable {
        /// Where to listen; port 0 picks a free one.
        package var listen: Endpoint
        /// The server; nil for a forward proxy, whose clients name one.
        package var server: Endpoint?

        /// One place to listen, and the server behind it.
        package init(listen: Endpoint, server: Endpoint?) { (self.listen, self.server) = (listen, server) }
    }

    /// The name by which it is known.
    package var name: String

    /// The network that it is.
    package var network: LinkProfile

    /// The seed of everything random on it.
    package var seed: UInt64

    /// How much an end lets be unread and on its way to it on a connection, whatever the proxy's own sockets would let.
    package var receiveWindow: ReceiveWindow

    /// Where it is listened for: all share the link.
    package var routes: [Route]

    /// What its forward proxies let clients do.
    package var forwarding: ForwardRules

    /// A link to run.
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
