internal import SegueBase
package import SegueData

/// Asks the model how long a download over HTTP/1.1 takes, without sending anything.
package struct DownloadEstimate: Sendable {
    /// What the connection has behind it when the download begins.
    package enum ConnectionState: Sendable, Equatable {
        /// It is opened for the download; the time counts from the handshake's first packet.
        case new
        /// It has just carried downloads of the same size, one to five by the seed, as the window is not the same after
        /// each; the time counts from the request.
        case reused
        /// As ``reused``, and then nothing for so long.
        case idle(Duration)
    }

    /// What curl asks nginx for, in bytes.
    package static let requestBytes = 80
    /// What nginx answers before the body, in bytes.
    package static let headBytes = 250

    private let profile: LinkProfile
    private let state: ConnectionState
    private let tls: TLSVersion?
    private let parallel: Int
    private let unread: Int
    private let receiveWindow: ReceiveWindow

    /// An estimate of downloads over a network.
    ///
    /// - Parameters:
    ///   - profile: The network.
    ///   - state: What the connection has behind it.
    ///   - tls: With which TLS it is opened; nil for none. A new connection's time includes its handshake.
    ///   - parallel: How many downloads of the same size share the network, each on a connection of its own; at least 1.
    ///   - unread: How many longer downloads are asked for first, each on a connection of its own, and not read.
    ///   - receiveWindow: How much the client lets be unread and on its way to it on a connection.
    package init(
        over profile: LinkProfile,
        on state: ConnectionState,
        tls: TLSVersion? = nil,
        parallel: Int = 1,
        unread: Int = 0,
        receiveWindow: ReceiveWindow = .tuned
    ) {
        (self.profile, self.state, self.tls, self.parallel) = (profile, state, tls, parallel)
        (self.unread, self.receiveWindow) = (unread, receiveWindow)
    }

    /// How long it takes until the last byte of a download, or of those side by side.
    ///
    /// - Parameters:
    ///   - bytes: The size of the body.
    ///   - seed: The seed of everything random; networks without loss and with one delay need no second one.
    /// - Returns: The seconds; nil where the connection came to a stop for good.
    package func seconds(_ bytes: Int, seed: UInt64) -> Double? {
        // A handover is not to come sooner than a connection is idle.
        let stride = profile.handovers.isEmpty ? Duration.seconds(1) : .zero
        var run = Run(link: SimulatedLink(profile, seed: seed, receiveWindow: receiveWindow), stride: stride)
        for _ in 0..<unread { run.askWithoutReading(tls) }
        let connections = (0..<parallel).map { _ in run.link.connect(at: run.now) }
        if let tls { for connection in connections { run.link.secure(tls, on: connection, at: run.now) } }
        guard state != .new else { return run.download(bytes, on: connections) }
        for _ in 0...(seed &- 1) % 5 {
            guard run.download(bytes, on: connections) != nil else { return nil }
            run.settle()
        }
        if case .idle(let pause) = state { run.now = run.now + pause }
        return run.download(bytes, on: connections)
    }

    /// How long downloads take with the seeds from 1 on.
    ///
    /// - Parameters:
    ///   - bytes: The size of the body.
    ///   - seeds: How many seeds; at least 1.
    /// - Returns: What came of them; nil where a connection came to a stop for good.
    package func spread(_ bytes: Int, seeds: Int) -> Spread? {
        var times: [Double] = []
        for seed in 1...max(1, seeds) {
            guard let time = seconds(bytes, seed: UInt64(seed)) else { return nil }
            times.append(time)
        }
        times.sort()
        let middle = times.count / 2
        return Spread(
            bytes: bytes,
            mean: times.reduce(0, +) / Double(times.count),
            median: times.count % 2 == 1 ? times[middle] : (times[middle - 1] + times[middle]) / 2,
            least: times[0],
            most: times[times.count - 1]
        )
    }

    /// The times of downloads of one size, in seconds.
    package struct Spread: Sendable, Equatable, Encodable {
        /// The size of the body.
        package let bytes: Int
        /// The mean of all seeds.
        package let mean: Double
        /// The one in the middle.
        package let median: Double
        /// The shortest.
        package let least: Double
        /// The longest.
        package let most: Double
    }
}

/// Downloads over a link, one after the other.
private struct Run {
    private typealias Connection = SimulatedLink.Connection

    /// The size of an answer that nobody reads: more than windows are.
    private static let unreadBytes = 1 << 30

    let link: SimulatedLink
    var now = Instant.zero
    /// How far the link may go on by itself once nothing needs an answer.
    let stride: Duration
    /// The bodies of the answers to requests that have not come to the server.
    private var due: [Connection: Int] = [:]

    init(link: SimulatedLink, stride: Duration) { (self.link, self.stride) = (link, stride) }

    /// Lets all that is under way come to its end.
    mutating func settle() {
        while !link.isQuiet, let next = link.nextInstant {
            now = max(now, next)
            _ = link.advance(to: now)
        }
    }

    /// Asks for more than fits any window on a connection of its own, once that is there, and takes nothing of it.
    mutating func askWithoutReading(_ tls: TLSVersion?) {
        let connection = link.connect(at: now)
        if let tls { link.secure(tls, on: connection, at: now) }
        ask(for: Self.unreadBytes, on: connection)
        link.stopTaking(.down, on: connection, at: now)
        var isConnected = false
        while !isConnected, let next = link.nextInstant {
            now = max(now, next)
            for (at, output) in link.advance(to: now) {
                answer(output, at: at)
                isConnected = isConnected || output == .connected(connection)
            }
        }
    }

    /// The seconds until a download on each connection has come whole; nil where nothing comes any more.
    mutating func download(_ bytes: Int, on connections: [SimulatedLink.Connection]) -> Double? {
        let start = now
        let whole = DownloadEstimate.headBytes + bytes
        var missing = Set(connections)
        for connection in connections { ask(for: bytes, on: connection) }
        while let next = link.nextInstant {
            // Once every request is answered nothing that comes needs another answer.
            let news = link.advance(to: max(now, next) + (due.isEmpty ? stride : .zero))
            now = max(now, link.latestInstant)
            for (at, output) in news {
                answer(output, at: at)
                guard case .received(let connection, whole) = output, missing.remove(connection) != nil else {
                    continue
                }
                if missing.isEmpty { return (at - start).seconds }
            }
        }
        return nil
    }

    private mutating func ask(for bytes: Int, on connection: Connection) {
        due[connection] = bytes
        link.request(bytes: DownloadEstimate.requestBytes, on: connection, at: now)
    }

    /// Answers a request that has come to the server.
    private mutating func answer(_ output: SimulatedLink.Output, at now: Instant) {
        guard case .requested(let connection) = output, let bytes = due.removeValue(forKey: connection) else { return }
        link.respond(headBytes: DownloadEstimate.headBytes, bodyBytes: bytes, on: connection, at: now)
    }
}
