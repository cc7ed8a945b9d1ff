internal import SegueBase

/// The user's expectation.
struct UserWish: Sendable {
    enum Mood: Sendable { case audio, silence, either }

    /// A change of position or title by the user.
    struct Move: Sendable {
        let at: Instant
        /// The target position in the present item, if known.
        let target: Duration?
        /// The items in the queue at that time.
        let items: Set<String>
        /// True if one of those items was heard since.
        var isOverheard = false
    }

    var mood = Mood.either
    var hasActed = false
    /// True if a title has ended that the user wanted to hear, and nothing has to follow.
    var isOver = false
    var rate: Double?
    var seek: Duration?
    /// A change by the user that has not taken effect yet.
    var move: Move?

    /// Handles an event after which an app may continue or not.
    mutating func relax() { if mood == .audio { (mood, isOver) = (.either, false) } }

    /// Handles the end of a title, after which an app may continue or not.
    mutating func end() { if mood == .audio { (mood, isOver) = (.either, true) } }

    /// Handles a title that follows by itself, as the user expects from then on.
    mutating func follow() { if isOver, mood == .either { (mood, isOver) = (.audio, false) } }

    /// Handles an action that may start playback.
    mutating func allowAudio() { if mood == .silence { mood = .either } }
}
