internal import SegueBase

/// How the app goes from one rendition to another.
extension PlaybackSession {
    /// Advances to an item of another rendition of the current one at the same position.
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

    /// Loads an item of another rendition of the current one behind it, at its playhead.
    mutating func preload(_ rendition: ItemRendition, at now: Instant) {
        guard let current = player.current, sources.rendition(of: current.id) != rendition,
            !player.items.contains(where: { $0.companion == current.id }),
            let item = makeItem(rendition, of: current.id, at: now)
        else { return }
        call("insert")
        player.insert(item, after: current.id, companionOf: current.id, at: now)
    }

    /// An item of a rendition of another one, that begins where that one is.
    private mutating func makeItem(_ rendition: ItemRendition, of other: ItemID, at now: Instant) -> PlayerItem? {
        guard let app = app?.profile, let address = sources.address(of: other),
            let url = address.url(rendition, as: app.opens)
        else { return nil }
        let position = other == player.current?.id ? player.position(at: now) : nil
        let item = player.makeItem(url: url, startingAt: position, isExact: app.starts == .exact)
        sources.add(item.id, address, rendition)
        return item
    }

    /// Puts every item behind the current one into the queue again, as another rendition.
    private mutating func replaceRest(with rendition: ItemRendition, at now: Instant) {
        for former in player.items.dropFirst() where sources.rendition(of: former.id) != rendition {
            replace(former.id, with: rendition, at: now)
        }
    }

    /// Makes every item behind the current one again that has failed.
    mutating func remakeFailedRest(at now: Instant) {
        for former in player.items.dropFirst() where former.isFailed {
            if let rendition = sources.rendition(of: former.id) { replace(former.id, with: rendition, at: now) }
        }
    }

    /// Puts a rendition of an item that waits in line into its place.
    private mutating func replace(_ former: ItemID, with rendition: ItemRendition, at now: Instant) {
        guard let item = makeItem(rendition, of: former, at: now) else { return }
        call("insert")
        player.insert(item, after: former, at: now)
        call("remove")
        player.remove(former, at: now)
    }

    /// Tears the movie player down and makes another one, which has no queue.
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
