internal import SegueBase

/// The positions other than its playhead that an item is to play from.
struct ItemAim: Sendable {
    /// The seek in progress, if any.
    var seek: ItemSeek?

    /// The position at which the item continues after an interstitial; nil for the playhead.
    var resumption: Duration?

    /// The distance from the live edge that was last chosen explicitly.
    private var chosenDistance: Duration?

    /// The position at which media are needed next: that of a seek or after an interstitial; nil for the playhead.
    var position: Duration? { seek?.landing ?? resumption }

    /// Records a position that was chosen explicitly, whose distance from the live edge the item keeps.
    mutating func choose(_ position: Duration, edge: LiveEdge?) {
        chosenDistance = edge.map { $0.supposed - position }
    }

    /// Forgets a chosen distance whose media left the playlist.
    mutating func loseChoice() { chosenDistance = nil }

    /// Returns the distance of a position behind the target position, negative if closer to the live edge; nil without
    /// a target.
    func lag(of position: Duration, behind edge: LiveEdge) -> Duration? {
        let distance = chosenDistance ?? (edge.isJoined ? edge.distance : nil)
        return distance.map { edge.supposed - $0 - position }
    }

    /// Returns the target position: the chosen distance behind the live edge, or the position at which a viewer joins;
    /// nil without a target.
    func wantedPosition(at edge: LiveEdge) -> Duration? {
        if let chosenDistance { return min(edge.supposed - chosenDistance, edge.join).inWholeNanoseconds }
        return edge.isJoined ? edge.join : nil
    }
}
