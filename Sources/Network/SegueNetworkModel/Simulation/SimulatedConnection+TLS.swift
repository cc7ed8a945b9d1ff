internal import SegueBase

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

/// The exchanges of TLS.
extension SimulatedConnection {
    /// Begins the handshake.
    func secure(_ version: TLSVersion, on wire: inout LinkWire, at now: Instant) {
        tls = TLSHandshake(version)
        exchange(on: &wire, at: now)
    }

    /// Sends the client's message of the current exchange.
    private func exchange(on wire: inout LinkWire, at now: Instant) {
        guard let tls else { return }
        let (up, down) = tls.version.exchanges[tls.exchange]
        self.tls?.upEnd = ends.up.sender.written + up
        self.tls?.downEnd = ends.down.sender.written + down
        write(up, .up, on: &wire, at: now)
    }

    /// Processes the arrival of handshake bytes in a direction.
    func advance(_ tls: TLSHandshake, _ direction: LinkDirection, on wire: inout LinkWire, at now: Instant) {
        switch direction {
        case .up:
            guard ends.up.delivered == tls.upEnd else { return }
            write(tls.version.exchanges[tls.exchange].down, .down, on: &wire, at: now)
        case .down:
            guard ends.down.delivered == tls.downEnd else { return }
            if tls.exchange + 1 < tls.version.exchanges.count {
                self.tls?.exchange += 1
                return exchange(on: &wire, at: now)
            }
            self.tls = nil
            write(tls.version.lastFlight, .up, on: &wire, at: now)
            if let bytes = tls.request { request(bytes: bytes, on: &wire, at: now) }
        }
    }
}
