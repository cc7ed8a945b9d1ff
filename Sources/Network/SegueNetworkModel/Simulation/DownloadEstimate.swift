internal import SegueBase
package import SegueData

/// The duration of a download over HTTP/1.1, calculated with the model.
package struct DownloadEstimate: Sendable {
    /// The history of the connection.
    package enum ConnectionState: Sendable, Equatable {
        /// A new connection; the time counts from the first packet of the handshake.
        case new
        /// A connection that has just carried one to five downloads of the same size, depending on the seed, which
        /// changes the window; the time counts from the request.
        case reused
        /// A connection like ``reused``, after an idle time.
        case idle(Duration)
    }

    /// The size of a typical request of curl, in bytes.
    package static let requestBytes = 80
    /// The size of a typical response head of nginx, in bytes.
    package static let headBytes = 250

    private let profile: LinkProfile
    private let state: ConnectionState
    private let tls: TLSVersion?
    private let parallel: Int
    private let unread: Int
    private let receiveWindow: ReceiveWindow

    /// Creates an estimate of downloads over a network.
    ///
    /// - Parameters:
    ///   - state: The history of the connection.
    ///   - tls: The TLS version; nil for none. The time of a new connection includes the handshake.
    ///   - parallel: The number of parallel downloads of the same size, each on its own connection; at least 1.
    ///   - unread: The number of longer downloads that begin first, each on its own connection, and are never read.
    ///   - receiveWindow: The receive window of the client.
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

    /// Returns the time to the last byte of the download, or of all parallel downloads.
    ///
    /// - Parameters:
    ///   - bytes: The size of the body.
    ///   - seed: The seed of all randomness; irrelevant for networks without loss and with a single delay.
    /// - Returns: The seconds; nil if the connection stops permanently.
    package func seconds(_ bytes: Int, seed: UInt64) -> Double? {
        // A handover must not come before the connection is idle.
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

    /// Returns the times of a download with the seeds from 1 on.
    ///
    /// - Parameters:
    ///   - bytes: The size of the body.
    ///   - seeds: The number of seeds; at least 1.
    /// - Returns: The statistics; nil if a connection stops permanently.
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

    /// Statistics of the times of downloads of one size, in seconds.
    package struct Spread: Sendable, Equatable, Encodable {
        /// The size of the body.
        package let bytes: Int
        package let mean: Double
        package let median: Double
        /// The minimum of all runs.
        package let least: Double
        /// The maximum of all runs.
        package let most: Double
    }
}

/// Consecutive downloads over a link.
private struct Run {
    private typealias Connection = SimulatedLink.Connection

    /// The size of an unread response, larger than any window.
    private static let unreadBytes = 1 << 30

    let link: SimulatedLink
    var now = Instant.zero
    /// The time that the link may advance by itself when no response is due.
    let stride: Duration
    /// The body sizes of requests on their way to the server.
    private var due: [Connection: Int] = [:]

    init(link: SimulatedLink, stride: Duration) { (self.link, self.stride) = (link, stride) }

    /// Advances until nothing is in flight.
    mutating func settle() {
        while !link.isQuiet, let next = link.nextInstant {
            now = max(now, next)
            _ = link.advance(to: now)
        }
    }

    /// Begins a download on a new connection that exceeds any window and is never read.
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

    /// Returns the seconds until the downloads on all connections are complete; nil if they stop.
    mutating func download(_ bytes: Int, on connections: [SimulatedLink.Connection]) -> Double? {
        let start = now
        let whole = DownloadEstimate.headBytes + bytes
        var missing = Set(connections)
        for connection in connections { ask(for: bytes, on: connection) }
        while let next = link.nextInstant {
            // When every request is answered, no further response is due.
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

    /// Answers a request that has arrived at the server.
    private mutating func answer(_ output: LinkOutput, at now: Instant) {
        guard case .requested(let connection) = output, let bytes = due.removeValue(forKey: connection) else { return }
        link.respond(headBytes: DownloadEstimate.headBytes, bodyBytes: bytes, on: connection, at: now)
    }
}
