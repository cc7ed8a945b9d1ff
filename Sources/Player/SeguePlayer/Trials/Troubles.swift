internal import SegueBase
internal import SegueEvents

extension EventLog {
    /// The problems, with their times and causes, one per line, in order.
    var troubles: [String] {
        events.compactMap { event in
            event.kind.trouble.map { "\(DecimalText.short(event.at.seconds, places: 3)) s: \($0)" }
        }
    }
}

extension EventKind {
    /// The description of a problem; nil for other events.
    fileprivate var trouble: String? {
        switch self {
        case .platformPaused(let item, let reason): "the platform paused \(item): \(reason)"
        case .appMisdeclared: misdeclaration
        case .platformRejected(let item, let reason): "the platform rejected \(item): \(reason)"
        case .appException(let call, let reason): "\(call) raised an exception: \(reason)"
        case .appTerminated("crash", let reason): "the app crashed: \(reason)"
        case .appTerminated(_, let reason): "the platform terminated the app: \(reason)"
        case .queueRefused(let item, let reason): "the queue refused \(item): \(reason)"
        case .itemTrackUnchanged(let item, let reason): "a change of the video of \(item) had no effect: \(reason)"
        case .itemFailed(let item, _, _, let message): "\(item) failed: \(message)"
        case .itemFailedToPlayToEnd(let item, let message): "\(item) could not be played to its end: \(message)"
        case .itemStalled(let item, let position): "\(item) stalled at \(DecimalText.short(position, places: 3)) s"
        case .requestFailed(let request, _, let message): "request \(request) failed: \(message)"
        default: nil
        }
    }
}
