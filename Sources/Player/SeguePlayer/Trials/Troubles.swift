internal import SegueBase
internal import SegueEvents

extension EventLog {
    /// The problems, with their times and causes, one per line, in order.
    var troubles: [String] {
        events.filter(\.kind.isTrouble).map { "\(DecimalText.short($0.at.seconds, places: 3)) s: \($0.sentence)" }
    }
}

extension EventKind {
    fileprivate var isTrouble: Bool {
        switch self {
        case .platformPaused, .platformRejected, .appMisdeclared, .appException, .appTerminated, .queueRefused,
            .itemTrackUnchanged, .itemFailed, .itemFailedToPlayToEnd, .itemStalled, .requestFailed:
            true
        default: false
        }
    }
}
