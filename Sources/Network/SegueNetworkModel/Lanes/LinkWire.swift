internal import SegueBase

/// The state that all connections of a link share: lanes, events, and outputs.
///
/// It is never copied, as a copy would cause the rows of the queue to be copied at the next event.
struct LinkWire: ~Copyable {
    var lanes: Lanes
    var queue = LinkQueue()
    var outputs: [(at: Instant, output: LinkOutput)] = []

    init(_ lanes: consuming Lanes) { self.lanes = lanes }

    mutating func tell(_ output: LinkOutput, at now: Instant) { outputs.append((now, output)) }

    /// Sends a packet; returns its arrival, or nil if it is lost.
    @inline(__always)
    mutating func send(
        _ bytes: Int,
        _ direction: LinkDirection,
        over path: inout Lanes.Path,
        at now: Instant
    ) -> Instant? {
        lanes.send(bytes, direction, at: now, on: &path)?.arrives
    }

    /// Sends a packet without payload, and returns its arrival; a lost one counts as not queued.
    mutating func sendHeader(_ direction: LinkDirection, over path: inout Lanes.Path, at now: Instant) -> Instant {
        send(SimulatedLink.headerBytes, direction, over: &path, at: now)
            ?? now + lanes.delay(direction, of: path, at: now)
    }

    @discardableResult
    mutating func plan(
        _ event: LinkEvent,
        of connection: LinkConnection,
        at instant: Instant
    ) -> SimulatedStream.Timer {
        queue.schedule(LinkQueue.Entry(connection: connection, event: event), at: instant)
    }

    mutating func drop(_ timer: inout SimulatedStream.Timer?) {
        if let token = timer { queue.cancel(token) }
        timer = nil
    }
}
