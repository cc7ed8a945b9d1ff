internal import SegueBase
internal import SegueEvents
package import SegueNetworkModel

package struct LinkStatus: Sendable {
    /// The status of a direction.
    package struct Direction: Sendable {
        /// The number of delivered bytes.
        package let delivered: Int
        /// The packet counts.
        package let counts: LaneCounts
        /// The load of the queue.
        package let load: LaneLoad
        /// The mean one-way delay of the network, without queueing and jitter.
        package let delay: Duration
    }

    package let name: String

    package let network: LinkProfile

    /// The listeners and their servers.
    package let routes: [LinkPlan.Route]

    /// The servers that clients of its forward proxies are connected to, in order.
    package let servers: [Endpoint]

    /// The number of open connections, and of all connections so far.
    package let connections: (open: Int, total: Int)

    /// The direction to the clients.
    package let down: Direction

    /// The direction to the servers.
    package let up: Direction

    /// The delays of deliveries after their due time.
    package let lateness: Lateness

    /// The age of the link, in seconds.
    package let seconds: Double

    /// The number of requests that met a fault.
    package let faults: Int
}

extension ProxiedLink {
    /// The current status.
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
            faults: faults.count
        )
    }

    /// The event about delays of deliveries.
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
