internal import SegueBase
internal import SegueNetworkModel
internal import SegueProxy

/// A link in the control API.
struct LinkDocument: Encodable {
    struct Route: Encodable { let listen, to: String }

    struct Connections: Encodable { let open, total: Int }

    struct Direction: Encodable {
        let deliveredBytes, packets, packetBytes, lostPackets, droppedPackets, queuedPackets, queuedBytes: Int
        let queueSeconds, delaySeconds: Double
        /// The long-term rate in bits per second; null without a limit.
        let rate: Double?

        init(_ direction: LinkStatus.Direction, _ numbers: LinkProfile.Direction) {
            deliveredBytes = direction.delivered
            packets = direction.counts.packets
            packetBytes = direction.counts.bytes
            lostPackets = direction.counts.lost
            droppedPackets = direction.counts.dropped
            queuedPackets = direction.load.packets
            queuedBytes = direction.load.bytes
            queueSeconds = direction.load.delay.seconds
            delaySeconds = direction.delay.seconds
            rate = numbers.rate.mean
        }
    }

    struct Late: Encodable {
        let deliveries: Int
        let median, percentile99, greatest: Double

        init(_ lateness: Lateness) {
            deliveries = lateness.total
            median = lateness.quantile(0.5).seconds
            percentile99 = lateness.quantile(0.99).seconds
            greatest = lateness.greatest.seconds
        }
    }

    let name, network, about: String
    let routes: [Route]
    /// The servers to which its forward proxies connect.
    let servers: [String]
    let connections: Connections
    let down, up: Direction
    let faults: [String]
    let faultedRequests: Int
    /// The delay added by the proxy itself, in seconds.
    let lateness: Late
    let seconds: Double

    init(_ status: LinkStatus) {
        name = status.name
        network = status.network.name
        about = status.network.about
        routes = status.routes.map {
            Route(listen: "\($0.listen)", to: $0.server.map { "\($0)" } ?? "where its clients say")
        }
        servers = status.servers.map { "\($0)" }
        connections = Connections(open: status.connections.open, total: status.connections.total)
        down = Direction(status.down, status.network.down)
        up = Direction(status.up, status.network.up)
        faults = status.network.faults.map(\.summary)
        faultedRequests = status.faults
        lateness = Late(status.lateness)
        seconds = status.seconds
    }
}

struct LinksDocument: Encodable { let links: [LinkDocument] }

/// A network that a link may switch to.
struct NetworkDocument: Encodable { let name, about: String }

struct NetworksDocument: Encodable { let networks: [NetworkDocument] }

struct FailureDocument: Encodable {
    struct Failure: Encodable { let code, message: String }

    let error: Failure
}
