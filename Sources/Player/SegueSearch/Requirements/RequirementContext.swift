package import SegueBase

/// The facts about an app and a run that its event log does not contain.
package struct RequirementContext: Sendable {
    /// The user's action at each step, from number 1 on; nil for steps of others.
    package var actions: [UserAction?]
    /// The titles that play in order, each with its URLs; empty if they are not known.
    package var titles: [[String]] = []
    /// True if the next title of the list must play when one has ended, false if nothing may follow; nil leaves it to the
    /// app's behavior in the run.
    package var advances: Bool?
    /// True if the app's items are inserted again when the queue is empty or its item has failed.
    package var refills = true
    /// The decisions in the log with which the app ends playback on purpose, such as those of a sleep timer.
    package var endingDecisions: Set<String> = []
    /// True if the app has other players, one of which the user may mean.
    package var isOneOfSeveral = false
    /// True if the user acts on another player, which this one follows.
    package var isFollower = false
    /// The ranges in which another player of the app is audible, in order.
    package var audibleElsewhere: [Range<Instant>] = []

    package init(actions: [UserAction?]) { self.actions = actions }
}
