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
        let before = peers.mapValues { peer in wire.lanes.delays(of: peer.ends.path, at: now) }
        let moved = wire.lanes.become(profile, at: now)
        self.profile = profile
        for (_, peer) in peers.sorted(by: { $0.key.number < $1.key.number }) {
            peer.ends.path = wire.lanes.path()
            peer.planHandover(on: &wire, at: now)
        }
        let after = peers.mapValues { peer in wire.lanes.delays(of: peer.ends.path, at: now) }
        let arrivals = RescheduledArrivals(moved, before: before, after: after, at: now)
        wire.queue.move { instant, entry in arrivals.time(of: entry, planned: instant) }
    }

    package func counts(_ direction: LinkDirection) -> LaneCounts {
        direction == .down ? wire.lanes.down.counts : wire.lanes.up.counts
    }

    package func load(_ direction: LinkDirection, at now: Instant) -> LaneLoad {
        direction == .down ? wire.lanes.down.load(at: now) : wire.lanes.up.load(at: now)
    }
}
