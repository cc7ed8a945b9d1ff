package import SegueBase

/// A TLS version, with the time that its handshake takes.
package enum TLSVersion: String, Sendable, CaseIterable {
    /// Two round trips before the request (RFC 5246).
    case tls12 = "1.2"
    /// One round trip before the request (RFC 8446).
    case tls13 = "1.3"

    /// The sizes of the messages in turn, the client first: its hello, and the server's flight with a certificate chain
    /// of about 4 KB.
    var exchanges: [(up: Int, down: Int)] {
        switch self {
        case .tls12: [(517, 4200), (126, 258)]
        case .tls13: [(517, 4300)]
        }
    }

    /// The bytes that the client sends immediately before its first request.
    var lastFlight: Int { self == .tls13 ? 74 : 0 }
}

/// A TLS handshake in progress.
struct TLSHandshake {
    let version: TLSVersion
    var exchange = 0
    /// The end of the current exchange in each stream.
    var upEnd = 0
    var downEnd = 0
    /// The request that waits for the handshake.
    var request: Int?

    init(_ version: TLSVersion) { self.version = version }
}

extension SimulatedLink {
    /// Secures a new connection with TLS; a request waits until the handshake is complete.
    ///
    /// - Parameters:
    ///   - connection: The connection, immediately after ``connect(isEstablished:at:)``.
    package func secure(_ version: TLSVersion, on connection: Connection, at now: Instant) {
        guard let peer = peers[connection] else { return }
        peer.tls = TLSHandshake(version)
        exchange(connection, peer, at: now)
    }

    /// Sends the client's message of the current exchange.
    private func exchange(_ connection: Connection, _ peer: SimulatedConnection, at now: Instant) {
        guard let tls = peer.tls else { return }
        let (up, down) = tls.version.exchanges[tls.exchange]
        peer.tls?.upEnd = peer.ends.up.sender.written + up
        peer.tls?.downEnd = peer.ends.down.sender.written + down
        write(up, .up, on: connection, at: now)
    }

    /// Processes the arrival of handshake bytes in a direction.
    func advance(_ tls: TLSHandshake, _ direction: LinkDirection, _ connection: Connection, at now: Instant) {
        guard let peer = peers[connection] else { return }
        switch direction {
        case .up:
            guard peer.ends.up.delivered == tls.upEnd else { return }
            write(tls.version.exchanges[tls.exchange].down, .down, on: connection, at: now)
        case .down:
            guard peer.ends.down.delivered == tls.downEnd else { return }
            if tls.exchange + 1 < tls.version.exchanges.count {
                peer.tls?.exchange += 1
                return exchange(connection, peer, at: now)
            }
            peer.tls = nil
            write(tls.version.lastFlight, .up, on: connection, at: now)
            if let bytes = tls.request { request(bytes: bytes, on: connection, at: now) }
        }
    }
}
