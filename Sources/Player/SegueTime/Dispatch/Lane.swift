/// Where things are done in the order in which they were given: one at a time on the main queue and other serial ones,
/// several beside each other on a concurrent queue, but for its barriers.
final class Lane {
    /// Its name, for reports.
    let name: String

    /// Whether it does several things at a time.
    let isConcurrent: Bool

    /// How much of it is in hand, which may have blocked; and how many of that are barriers.
    fileprivate var inHand = 0
    fileprivate var barriers = 0

    init(_ name: String, isConcurrent: Bool = false) { (self.name, self.isConcurrent) = (name, isConcurrent) }

    /// What is to be done on it; on a lane that does one thing at a time all are barriers.
    func turn(asBarrier: Bool = false) -> Turn { Turn(lane: self, isBarrier: asBarrier || !isConcurrent) }
}

/// Something's turn on a lane.
struct Turn {
    /// The lane.
    let lane: Lane

    /// Whether it begins when all before it is over, and all behind it when it is.
    let isBarrier: Bool

    /// Whether what is in hand lets it begin.
    var mayBegin: Bool { isBarrier ? lane.inHand == 0 : lane.barriers == 0 }

    /// Takes it in hand.
    func begin() {
        lane.inHand += 1
        if isBarrier { lane.barriers += 1 }
    }

    /// It is over, or lets others begin meanwhile.
    func end() {
        lane.inHand -= 1
        if isBarrier { lane.barriers -= 1 }
    }

    /// Whether it waits for another that came before it.
    func comesAfter(_ other: Turn) -> Bool { lane === other.lane && (isBarrier || other.isBarrier) }
}

/// Something that a run has to do.
struct Work {
    /// Its turn on a lane; nil for what waits for nothing else.
    let turn: Turn?

    /// What it is.
    let deed: Deed

    enum Deed {
        case call(() -> Void)
        /// A thread that blocked goes on.
        case resume(VirtualThread)
    }
}
