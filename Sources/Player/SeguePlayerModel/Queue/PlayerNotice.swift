/// A change that the app is told of.
package enum PlayerNotice: Sendable, Equatable {
    case itemReady(ItemID)
    case itemFailed(ItemID)
    /// Its status reads failed after a request that will be repeated.
    case itemShowsFailure(ItemID)
    case itemPlayedToEnd(ItemID)
    case itemFailedToPlayToEnd(ItemID)
    case itemStalled(ItemID)
    case itemTimeJumped(ItemID)
    case seekEnded(SeekID, isFinished: Bool)
    case currentItem(ItemID?)
    case timeControl(TimeControl)
}

/// Names one seek in a session.
package struct SeekID: Hashable, Sendable {
    /// Counts up from 1.
    package let number: Int

    /// The name of a seek.
    package init(number: Int) { self.number = number }
}
