internal import SegueBase

/// The distance of an item from its live edge.
extension PlayerItem {
    /// Records a position that was chosen explicitly, whose distance from the live edge the item keeps.
    mutating func choose(_ position: Duration, at now: Instant) {
        chosenDistance = client.liveEdge(at: now).map { $0.supposed - position }
    }

    /// Returns the distance behind the target position, negative if closer to the live edge; nil without a target.
    func lag(behind edge: LiveEdge) -> Duration? {
        let distance = chosenDistance ?? (edge.isJoined ? edge.distance : nil)
        return distance.map { edge.supposed - $0 - position }
    }

    /// Returns the target position: the chosen distance behind the live edge, or the position at which a viewer joins;
    /// nil without a target.
    func wantedPosition(at now: Instant) -> Duration? {
        guard let edge = client.liveEdge(at: now) else { return nil }
        if let chosenDistance { return min(edge.supposed - chosenDistance, edge.join).inWholeNanoseconds }
        return edge.isJoined ? edge.join : nil
    }

    /// Jumps to a position without a seek.
    mutating func leap(to position: Duration, _ context: inout StepContext) {
        self.position = position
        move(to: position, &context)
        jumped(&context)
    }
}
