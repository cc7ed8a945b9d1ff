internal import SegueBase

/// The state of the app's process, and its background tasks.
struct AppState: Sendable {
    var isInterrupted = false
    var isInBackground = false
    var isGone = false
    /// The declaration of the app that silences or stops its audio, with the measure that removes the problem.
    var misdeclaration: String?
    /// The number of background tasks that the app holds.
    private(set) var tasks = 0
    /// The expiry of the background tasks; nil if the app has ended them since.
    var expiredAt: Instant?

    mutating func beginTask() { tasks += 1 }

    mutating func endTask() { (tasks, expiredAt) = (max(0, tasks - 1), nil) }

    mutating func expireTasks(at now: Instant) { (tasks, expiredAt) = (0, now) }
}
