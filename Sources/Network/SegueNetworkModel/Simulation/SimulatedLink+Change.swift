package import SegueBase

/// The change of a link's network during use.
extension SimulatedLink {
    /// Switches to another network, whose time begins now.
    ///
    /// Packets in the queues stay and depart at the new rate; packets that have departed arrive as before. Each
    /// connection draws new delays.
    ///
    /// - Parameters:
    ///   - now: The present instant; everything before it has been processed.
    package func become(_ profile: LinkProfile, at now: Instant) {
        leaveTrain()
        let before = peers.mapValues { peer in delays(of: peer, at: now) }
        let moved = wire.lanes.become(profile, at: now)
        self.profile = profile
        for (connection, peer) in peers.sorted(by: { $0.key.number < $1.key.number }) {
            peer.ends.path = wire.lanes.path()
            planHandover(connection, peer, at: now)
        }
        let after = peers.mapValues { peer in delays(of: peer, at: now) }
        wire.queue.move { instant, entry in
            guard let direction = entry.happening.packetDirection, let former = before[entry.connection],
                let delay = after[entry.connection]
            else { return instant }
            let old = direction == .down ? former.down : former.up
            let packets = direction == .down ? moved.down : moved.up
            guard
                let departs = Self.departure(
                    of: Instant(nanoseconds: instant.nanoseconds - old.wholeNanoseconds),
                    in: packets,
                    at: now
                )
            else { return instant }
            return departs + (direction == .down ? delay.down : delay.up)
        }
    }

    package func counts(_ direction: LinkDirection) -> LaneCounts {
        direction == .down ? wire.lanes.down.counts : wire.lanes.up.counts
    }

    package func load(_ direction: LinkDirection, at now: Instant) -> LaneLoad {
        direction == .down ? wire.lanes.down.load(at: now) : wire.lanes.up.load(at: now)
    }

    private func delays(of peer: SimulatedConnection, at now: Instant) -> (down: Duration, up: Duration) {
        (wire.lanes.delay(.down, of: peer.ends.path, at: now), wire.lanes.delay(.up, of: peer.ends.path, at: now))
    }

    /// The new departure of a packet that would have departed around a time; nil if it has departed.
    private static func departure(of before: Instant, in moved: [Lanes.Moved], at now: Instant) -> Instant? {
        guard before > now, !moved.isEmpty else { return nil }
        var (low, high) = (0, moved.count - 1)
        while low < high {
            let middle = (low + high) / 2
            if moved[middle].before < before { low = middle + 1 } else { high = middle }
        }
        return moved[low].after
    }
}

extension SimulatedLink.Happening {
    /// The direction of a packet whose arrival this is; nil for other events.
    fileprivate var packetDirection: LinkDirection? {
        switch self {
        case .synAtServer, .handshakeEndAtServer: .up
        case .synAnswerAtClient: .down
        case .segment(let direction, _, _), .reset(let direction): direction
        case .acknowledgement(let direction, _): direction.opposite
        default: nil
        }
    }
}
