internal import SegueBase
internal import SegueEvents
package import SegueNetworkModel

/// What a link of a proxy is, and what it has done.
package struct LinkStatus: Sendable {
    /// One direction of it.
    package struct Direction: Sendable {
        /// How many bytes have come to their receiving ends.
        package let delivered: Int
        /// What has been sent, packet by packet.
        package let counts: LaneCounts
        /// What waits in the queue.
        package let load: LaneLoad
        /// The one-way delay, without queue and jitter: that of the network, in its middle.
        package let delay: Duration
    }

    /// The link's name.
    package let name: String

    /// The network that it is.
    package let network: LinkProfile

    /// Where it is listened for, and which servers it leads to.
    package let routes: [LinkPlan.Route]

    /// The servers that clients of its forward proxies are connected to, by name.
    package let servers: [Endpoint]

    /// How many connections there are, and how many there have been.
    package let connections: (open: Int, total: Int)

    /// Towards the clients.
    package let down: Direction

    /// Towards the servers.
    package let up: Direction

    /// How late the proxy was.
    package let lateness: Lateness

    /// For how long it has been there, in seconds.
    package let seconds: Double

    /// How many requests met a fault.
    package let faults: Int
}

extension ProxiedLink {
    /// What the link is and has done.
    var status: LinkStatus {
        LinkStatus(
            name: name,
            network: profile,
            routes: routes.map { LinkPlan.Route(listen: $0.bound, server: $0.upstream?.endpoint) },
            servers: Set(shaped.values.filter { $0.clientSocket.standIn != nil }.map(\.server.endpoint))
                .sorted { ($0.host, $0.port) < ($1.host, $1.port) },
            connections: (shaped.count + spliced.count, connectionCount),
            down: status(.down),
            up: status(.up),
            lateness: relay.lateness,
            seconds: now.seconds,
            faults: faultCount
        )
    }

    /// How late its deliveries were, for the log.
    var lateness: EventKind {
        let lateness = relay.lateness
        return .linkLateness(
            link: name,
            deliveries: lateness.total,
            median: lateness.quantile(0.5).seconds,
            percentile99: lateness.quantile(0.99).seconds,
            greatest: lateness.greatest.seconds
        )
    }

    private func status(_ direction: LinkDirection) -> LinkStatus.Direction {
        let numbers = direction == .down ? profile.down : profile.up
        return LinkStatus.Direction(
            delivered: direction == .down ? bytes.down : bytes.up,
            counts: relay.counts(direction),
            load: relay.load(direction, at: now),
            delay: (numbers.delay.lowerBound + numbers.delay.upperBound) / 2
        )
    }
}
