internal import SegueBase

/// How far behind its live edge an item is, and is to be.
extension PlayerItem {
    /// It is sent somewhere, and is to stay as far behind the live edge as that is.
    mutating func choose(_ position: Duration, at now: Instant) {
        chosenDistance = client.liveEdge(at: now).map { $0.supposed - position }
    }

    /// How far it is behind where it is wanted, below zero where it is nearer to the live edge; nil where it has none, or
    /// was begun elsewhere.
    func lag(behind edge: LiveEdge) -> Duration? {
        let distance = chosenDistance ?? (edge.isJoined ? edge.distance : nil)
        return distance.map { edge.supposed - $0 - position }
    }

    /// Where it is wanted: as far behind the live edge as it was sent to, else where one joins; nil where it has no live
    /// edge, or was begun elsewhere.
    func wantedPosition(at now: Instant) -> Duration? {
        guard let edge = client.liveEdge(at: now) else { return nil }
        if let chosenDistance { return min(edge.supposed - chosenDistance, edge.join).inWholeNanoseconds }
        return edge.isJoined ? edge.join : nil
    }

    /// Goes on elsewhere by itself.
    mutating func leap(to position: Duration, _ turn: inout Turn) {
        self.position = position
        move(to: position, &turn)
        jumped(&turn)
    }
}
