internal import Timeline

/// Items that follow another one to take its place.
extension PlaybackSession {
    /// What is loaded to take an item's place is of no use without it.
    mutating func removeFollowers(of item: ItemID, at now: Instant) {
        for follower in player.items where follower.companion == item { player.remove(follower.id, at: now) }
    }

    /// The current item makes room for the next title, and so does what is loaded ahead of it.
    mutating func leaveToFollower(at now: Instant) {
        if let spare { player.remove(spare.id, at: now) }
    }
}
