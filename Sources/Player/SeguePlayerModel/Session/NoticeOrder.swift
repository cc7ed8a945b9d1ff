internal import SegueBase

/// In which order an app is told what changed at one moment.
enum NoticeOrder {
    /// Something whose changes come in no fixed order among those of others at the same moment.
    private enum Subject { case status, timeControl, currentItem }

    /// What changed, in an order that chance gives.
    ///
    /// Only changes of different things are shuffled, among their own places: each thing's own come in order.
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

    /// What a notice tells a change of; nil where its order is fixed.
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
