internal import SegueBase

/// Switches between renditions.
extension PlaybackSession {
    /// Advances to an item of another rendition at the current position.
    mutating func replaceCurrent(with rendition: ItemRendition, at now: Instant) {
        guard let app = app?.profile, let current = player.current else { return }
        if let spare = player.items.dropFirst().first, spare.companion == current.id,
            sources.rendition(of: spare.id) == rendition, !spare.isFailed
        {
            player.release(spare.id)
        } else {
            removeFollowers(of: current.id, at: now)
            guard let item = makeItem(rendition, of: current.id, at: now) else { return }
            if app.player == .moviePlayer { return remakePlayer(with: item, at: now) }
            call("insert")
            player.insert(item, after: current.id, at: now)
        }
        call("advanceToNextItem")
        player.advanceToNextItem(at: now)
        if app.restOfQueue == .switches { replaceRest(with: rendition, at: now) }
    }

    /// Loads an item of another rendition behind the current one, at its playhead.
    mutating func preload(_ rendition: ItemRendition, at now: Instant) {
        guard let current = player.current, sources.rendition(of: current.id) != rendition,
            !player.items.contains(where: { $0.companion == current.id }),
            let item = makeItem(rendition, of: current.id, at: now)
        else { return }
        call("insert")
        player.insert(item, after: current.id, companionOf: current.id, at: now)
    }

    /// Creates an item of a rendition of another item, at its position.
    private mutating func makeItem(_ rendition: ItemRendition, of other: ItemID, at now: Instant) -> PlayerItem? {
        guard let app = app?.profile, let address = sources.address(of: other),
            let url = address.url(rendition, as: app.opens)
        else { return nil }
        let position = other == player.current?.id ? player.position(at: now) : nil
        let item = player.makeItem(url: url, startingAt: position, isExact: app.starts == .exact)
        sources.add(item.id, address, rendition)
        return item
    }

    /// Replaces every item behind the current one with another rendition.
    private mutating func replaceRest(with rendition: ItemRendition, at now: Instant) {
        for former in player.items.dropFirst() where sources.rendition(of: former.id) != rendition {
            replace(former.id, with: rendition, at: now)
        }
    }

    /// Recreates every failed item behind the current one.
    mutating func remakeFailedRest(at now: Instant) {
        for former in player.items.dropFirst() where former.isFailed {
            if let rendition = sources.rendition(of: former.id) { replace(former.id, with: rendition, at: now) }
        }
    }

    /// Replaces a queued item with a rendition of it.
    private mutating func replace(_ former: ItemID, with rendition: ItemRendition, at now: Instant) {
        guard let item = makeItem(rendition, of: former, at: now) else { return }
        call("insert")
        player.insert(item, after: former, at: now)
        call("remove")
        player.remove(former, at: now)
    }

    /// Tears down the movie player, which has no queue, and creates another one.
    mutating func remakePlayer(with item: PlayerItem, at now: Instant) {
        call("tearDown")
        let rate = player.rate
        player.removeAll(at: now)
        call("make")
        device.remake(with: item.id)
        player.insert(item, at: now)
        if rate > 0 { player.setRate(rate, at: now) }
    }
}
