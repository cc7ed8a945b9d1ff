internal import SegueBase

/// Items of an app outside of the session, and items that follow another one to replace it.
extension PlaybackSession {
    mutating func insert(_ new: NewItem, at now: Instant) {
        var start = new.start
        if case .following(player.current?.id) = new.place { start = player.position(at: now) }
        let item = player.makeItem(url: new.url, startingAt: start, isExact: new.isStartExact)
        sources.add(item.id, ItemAddress(full: new.url), .full)
        if new.place == .current, player.current != nil, traits?.player == .moviePlayer {
            return remakePlayer(with: item, at: now)
        }
        call("insert")
        switch new.place {
        case .last: player.insert(item, at: now)
        case .behind(let other): player.insert(item, after: other, at: now)
        case .following(let leader):
            let isCurrent = leader == player.current?.id
            player.insert(item, after: leader, companionOf: isCurrent ? leader : nil, at: now)
        case .current:
            guard let current = player.current else {
                player.insert(item, at: now)
                return
            }
            player.insert(item, after: current.id, at: now)
            removeFollowers(of: current.id, at: now)
            call("advanceToNextItem")
            player.advanceToNextItem(at: now)
        }
    }

    /// Removes the items that were loaded to replace an item.
    mutating func removeFollowers(of item: ItemID, at now: Instant) {
        for follower in player.items where follower.companion == item { player.remove(follower.id, at: now) }
    }

    /// Makes room behind the current item: an outside app advances to the item that it has preloaded, and the user to
    /// the next title.
    mutating func leaveToFollower(at now: Instant) {
        guard let spare else { return }
        if newsForOutside == nil { player.remove(spare.id, at: now) } else { player.release(spare.id) }
    }
}
