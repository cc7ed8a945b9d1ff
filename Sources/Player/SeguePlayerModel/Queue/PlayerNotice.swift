/// A change that the app is notified of.
package enum PlayerNotice: Sendable, Equatable {
    case itemReady(ItemID)
    case itemFailed(ItemID)
    /// Its status reads failed while a request waits to be retried.
    case itemShowsFailure(ItemID)
    case itemPlayedToEnd(ItemID)
    case itemFailedToPlayToEnd(ItemID)
    case itemStalled(ItemID)
    case itemTimeJumped(ItemID)
    case seekEnded(SeekID, isFinished: Bool)
    case currentItem(ItemID?)
    case timeControl(TimeControl)
}

/// The identity of a seek in a session.
package struct SeekID: Hashable, Sendable {
    /// Counts up from 1.
    package let number: Int

    package init(number: Int) { self.number = number }
}
