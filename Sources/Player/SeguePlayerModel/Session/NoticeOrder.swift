internal import SegueBase

/// The order of notices about simultaneous changes.
enum NoticeOrder {
    /// A property whose changes have no fixed order relative to other properties.
    private enum Subject { case status, timeControl, currentItem }

    /// Shuffles notices of one instant.
    ///
    /// Only the notices of different properties trade places. Notices of one property stay in order.
    static func shuffled(_ notices: [PlayerNotice], using random: inout SeededRandom) -> [PlayerNotice] {
        var notices = notices
        let free = notices.indices.filter { subject(of: notices[$0]) != nil }
        let subjects = free.shuffled(using: &random).map { subject(of: notices[$0]) }
        var waiting = Dictionary(grouping: free.map { notices[$0] }, by: subject)
        for (place, subject) in zip(free, subjects) {
            if let next = waiting[subject]?.removeFirst() { notices[place] = next }
        }
        return notices
    }

    /// The property that a notice is about; nil if its order is fixed.
    private static func subject(of notice: PlayerNotice) -> Subject? {
        switch notice {
        case .itemReady: .status
        case .timeControl: .timeControl
        case .currentItem: .currentItem
        case .itemFailed, .itemShowsFailure, .itemPlayedToEnd, .itemFailedToPlayToEnd, .itemStalled, .itemTimeJumped,
            .seekEnded:
            nil
        }
    }
}
