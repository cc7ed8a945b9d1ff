/// A sequence of work in order: one item at a time for the main queue and other serial queues, several at a time for a
/// concurrent queue, except for its barriers.
final class Lane {
    /// The name, for reports.
    let name: String

    /// Whether several items may be in progress.
    let isConcurrent: Bool

    /// The number of items in progress, which may be blocked, and the number of barriers among them.
    fileprivate var inHand = 0
    fileprivate var barriers = 0

    init(_ name: String, isConcurrent: Bool = false) { (self.name, self.isConcurrent) = (name, isConcurrent) }

    /// Returns a turn for an item.
    ///
    /// On a serial lane, every item is a barrier.
    func turn(asBarrier: Bool = false) -> Turn { Turn(lane: self, isBarrier: asBarrier || !isConcurrent) }
}

/// The turn of an item on a lane.
struct Turn {
    let lane: Lane

    /// Whether it begins after the end of all preceding items, and all following items begin after its end.
    let isBarrier: Bool

    /// Whether the items in progress allow it to begin.
    var mayBegin: Bool { isBarrier ? lane.inHand == 0 : lane.barriers == 0 }

    func begin() {
        lane.inHand += 1
        if isBarrier { lane.barriers += 1 }
    }

    /// Ends it, or lets others begin meanwhile.
    func end() {
        lane.inHand -= 1
        if isBarrier { lane.barriers -= 1 }
    }

    /// Whether it waits for a preceding item.
    func comesAfter(_ other: Turn) -> Bool { lane === other.lane && (isBarrier || other.isBarrier) }
}

/// An item of work in a run.
struct Work {
    /// The turn on a lane; nil for work without a lane.
    let turn: Turn?

    let deed: Deed

    enum Deed {
        case call(() -> Void)
        /// Resumes a blocked thread.
        case resume(VirtualThread)
    }
}
