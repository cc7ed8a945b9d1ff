internal import SegueBase

/// Detects that nothing plays while a script waits for the player.
struct StandstillWatch {
    let limit: Duration

    /// True if the script waits for something that only the player can cause.
    var isWaiting = false

    /// The played duration when it last changed, and the time of that check.
    private var progress = (played: Duration.zero, at: Instant.zero)

    init(limit: Duration) { self.limit = limit }

    /// Returns whether the played duration has not changed for the limit.
    mutating func isOver(played: Duration, at now: Instant) -> Bool {
        if played != progress.played || !isWaiting { progress = (played, now) }
        return now - progress.at >= limit
    }
}
