internal import Timeline

/// What all connections of a link share: its lanes, what is to happen on them, and what the owner is to be told.
struct LinkWire {
    var lanes: Lanes
    var queue = LinkQueue()
    var outputs: [(at: Instant, output: SimulatedLink.Output)] = []

    init(_ lanes: Lanes) { self.lanes = lanes }

    mutating func tell(_ output: SimulatedLink.Output, at now: Instant) { outputs.append((now, output)) }

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
