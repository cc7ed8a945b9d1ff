internal import SegueBase
internal import SegueEvents

/// The state of an item's buffer, and the number of times that it ran out.
struct ItemBuffer: Sendable {
    /// The properties that the app observes.
    struct State: Sendable, Equatable {
        var isEmpty = true
        var isLikelyToKeepUp = false
        var isFull = false
    }

    private(set) var state = State()

    /// The number of stalls.
    private(set) var stalls = 0

    mutating func stall() { stalls += 1 }

    /// Changes the state, and logs the changes.
    mutating func update(to new: State, of item: ItemID, _ context: inout StepContext) {
        let former = state
        guard new != former else { return }
        state = new
        let name = item.description
        if new.isEmpty != former.isEmpty { context.log(.bufferEmpty(item: name, isEmpty: new.isEmpty)) }
        if new.isFull != former.isFull { context.log(.bufferFull(item: name, isFull: new.isFull)) }
        if new.isLikelyToKeepUp != former.isLikelyToKeepUp {
            context.log(.bufferLikelyToKeepUp(item: name, isLikely: new.isLikelyToKeepUp))
        }
    }
}
