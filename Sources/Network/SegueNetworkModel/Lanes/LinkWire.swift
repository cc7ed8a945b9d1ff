internal import SegueBase

/// What all connections of a link share: its lanes, what is to happen on them, and what the owner is to be told.
///
/// Never copied: a copy that lives on for a moment would have the rows of the queue copied with the next event.
struct LinkWire: ~Copyable {
    var lanes: Lanes
    var queue = LinkQueue()
    var outputs: [(at: Instant, output: SimulatedLink.Output)] = []

    init(_ lanes: consuming Lanes) { self.lanes = lanes }

    mutating func tell(_ output: SimulatedLink.Output, at now: Instant) { outputs.append((now, output)) }

    /// Sends a packet; says when it is there, or nil when it is lost.
    @inline(__always)
    mutating func send(
        _ bytes: Int,
        _ direction: LinkDirection,
        over path: inout Lanes.Path,
        at now: Instant
    ) -> Instant? {
        lanes.send(bytes, direction, at: now, on: &path)?.arrives
    }

    @discardableResult
    mutating func plan(
        _ happening: SimulatedLink.Happening,
        of connection: LinkConnection,
        at instant: Instant
    ) -> SimulatedStream.Timer {
        queue.schedule(SimulatedLink.Entry(connection: connection, happening: happening), at: instant)
    }

    mutating func drop(_ timer: inout SimulatedStream.Timer?) {
        if let token = timer { queue.cancel(token) }
        timer = nil
    }
}
