internal import SegueBase

/// The actions of a connection's two ends.
extension SimulatedConnection {
    /// Marks the handshake as complete, with its round-trip time.
    func establish(roundTrip: Duration) {
        (isConnected, isAccepted) = (true, true)
        ends.down.sender.measureHandshake(roundTrip)
        ends.up.sender.measureHandshake(roundTrip)
    }

    /// Schedules the next change of the client's address.
    func planHandover(on wire: inout LinkWire, at now: Instant) {
        guard question == nil else { return }
        wire.drop(&handoverTimer)
        handoverTimer = wire.lanes.nextHandover(after: now).map { wire.plan(.handover, of: id, at: $0) }
    }

    /// Adds bytes to a direction without sending them.
    func append(_ bytes: Int, _ direction: LinkDirection, endsSegment: Bool, at now: Instant) {
        ends[direction].sender.write(bytes, endsSegment: endsSegment, at: now)
        ends[direction.opposite].receiver.quicken()
    }

    /// Writes bytes to a direction; they are sent when handshake and window allow.
    func write(_ bytes: Int, _ direction: LinkDirection, on wire: inout LinkWire, at now: Instant) {
        guard isOpen, bytes > 0 else { return }
        append(bytes, direction, endsSegment: false, at: now)
        sendSegments(direction, on: &wire, at: now)
    }

    /// Sends a request, at once or after the TLS handshake.
    func request(bytes: Int, on wire: inout LinkWire, at now: Instant) {
        guard tls == nil else {
            tls?.request = bytes
            return
        }
        ends.exchange = .init(requestEnd: ends.up.sender.written + bytes, answerBegins: ends.down.sender.written)
        write(bytes, .up, on: &wire, at: now)
    }

    /// Sends segments within the window, if the sender of a direction knows that the handshake is complete.
    func sendSegments(_ direction: LinkDirection, on wire: inout LinkWire, at now: Instant) {
        guard direction == .down ? isAccepted : isConnected else { return }
        ends.sendSegments(direction, on: &wire, at: now)
    }

    /// Resets the connection from the client's end.
    func close(on wire: inout LinkWire, at now: Instant) {
        guard isOpen, !isAbandonedByServer else { return }
        isOpen = false
        wire.drop(&handshakeTimer)
        wire.drop(&ends.down.acknowledgementTimer)
        ends.up.dropDeadline(on: &wire)
        // A lost reset is repeated with the next segment; it counts as not lost.
        wire.plan(.reset(.up), of: id, at: wire.sendHeader(.up, over: &ends.path, at: now))
    }

    /// Resets the connection from the server's end.
    func abandon(on wire: inout LinkWire, at now: Instant) {
        guard isOpen, !isAbandonedByServer else { return }
        isAbandonedByServer = true
        wire.drop(&ends.up.acknowledgementTimer)
        ends.down.dropDeadline(on: &wire)
        wire.plan(.reset(.down), of: id, at: wire.sendHeader(.down, over: &ends.path, at: now))
    }
}
