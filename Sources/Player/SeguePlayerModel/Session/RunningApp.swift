internal import SegueBase

/// A notice to an app.
package enum AppNews: Sendable {
    /// A step of the app's life.
    case step(Lifecycle.Step)
    /// A change of the player.
    case notice(PlayerNotice)
}

/// The app of a session.
struct RunningApp: Sendable {
    let profile: AppProfile
    var policy: AppPolicy

    /// The progress of the app's own rules.
    var course: ReactionCourse

    /// The notices that a suspended app receives when it resumes, in order.
    var heldNews: [AppNews] = []

    init(_ profile: AppProfile) {
        self.profile = profile
        policy = AppPolicy(profile: profile)
        course = ReactionCourse(profile.reactions)
    }

    /// Resets the app's state, for the next start of its process.
    mutating func restart() { self = RunningApp(profile) }
}
