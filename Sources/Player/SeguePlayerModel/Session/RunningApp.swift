internal import SegueBase

/// Something that an app is told.
package enum AppNews: Sendable {
    /// A step of the platform.
    case step(Lifecycle.Step)
    /// A change of the player.
    case notice(PlayerNotice)
}

/// The app of a session.
struct RunningApp: Sendable {
    let profile: AppProfile
    var policy: AppPolicy

    /// How far it has come with its own rules.
    var course: ReactionCourse

    /// What it will be told when it runs again, in order.
    var heldNews: [AppNews] = []

    init(_ profile: AppProfile) {
        self.profile = profile
        policy = AppPolicy(profile: profile)
        course = ReactionCourse(profile.reactions)
    }
}
