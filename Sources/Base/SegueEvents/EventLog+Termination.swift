extension EventLog {
    /// True if the app's process ended when the user left it, since the platform runs no apps in the background.
    package var isEndedByLeaving: Bool {
        for event in events {
            switch event.kind {
            case .appTerminated: return false
            case .platformLifecycle("terminated"): return true
            default: break
            }
        }
        return false
    }
}
