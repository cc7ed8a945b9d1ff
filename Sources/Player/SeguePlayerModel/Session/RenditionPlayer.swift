internal import SegueBase
internal import SegueEvents

/// A player that knows the source of each item, and exchanges items for other renditions of their sources.
struct RenditionPlayer: Sendable {
    var player: QueuePlayer

    private(set) var sources = ItemSources()

    /// The app whose items it creates; nil without a policy.
    private let app: AppProfile?

    /// True if the player has no queue, and is recreated for another item.
    private let isMoviePlayer: Bool

    /// The position to which the user has moved the app's slider, until the playhead is there.
    var slideTarget: Duration?

    /// The source of starts that jump back, apart from the other random choices of a run.
    var starts: SeededRandom

    init(_ player: QueuePlayer, app: AppProfile?, isMoviePlayer: Bool, seed: UInt64) {
        (self.player, self.app, self.isMoviePlayer) = (player, app, isMoviePlayer)
        starts = SeededRandom(seed: seed)
    }

    /// The preloaded item that will replace the current one.
    var spare: PlayerItem? {
        guard let current = player.current else { return nil }
        return player.items.first { $0.companion == current.id }
    }

    /// The rendition of the current item.
    var rendition: ItemRendition? { player.current.flatMap { sources.rendition(of: $0.id) } }

    /// Returns the number of failed items with the same source.
    func failures(of item: ItemID) -> Int {
        (player.removed + player.items).count { $0.isFailed && ($0.id == item || sources.isSame($0.id, item)) }
    }

    /// Logs a call of the player, and makes it.
    mutating func call(_ name: String, _ body: (inout QueuePlayer) -> Void = { _ in }) {
        player.context.log(.playerCommand(name: name, item: player.current?.id.description ?? ""))
        body(&player)
    }

    /// Logs a call that changes a setting, and changes it.
    mutating func set(_ name: String, at now: Instant, _ change: (inout PlayerSettings) -> Void) {
        call(name) { $0.set(at: now, change) }
    }

    // MARK: Insertion

    /// Inserts an item of a source behind another one; nil appends it.
    mutating func insert(_ address: ItemAddress, after place: ItemID?, at now: Instant) {
        guard let url = address.url(.full, as: app?.opens ?? .single) else { return }
        let item = player.makeItem(url: url)
        sources.add(item.id, address: address, rendition: .full)
        player.insert(item, after: place, at: now)
    }

    /// Inserts an item of an app outside of the session.
    ///
    /// - Returns: The item of a movie player that was recreated for it.
    mutating func insert(_ new: NewItem, at now: Instant) -> ItemID? {
        var (start, isExact) = (new.start, new.isStartExact)
        if case .following(player.current?.id) = new.place {
            start = player.position(at: now)
        } else if start != nil {
            isExact = startsExactly(isWanted: isExact)
        }
        let item = player.makeItem(url: new.url, startingAt: start, isExact: isExact)
        sources.add(item.id, address: ItemAddress(full: new.url), rendition: .full)
        if !new.headers.isEmpty { player.context.appHeaders[item.id] = new.headers }
        if new.place == .current, player.current != nil, isMoviePlayer { return remake(with: item, at: now) }
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
                return nil
            }
            player.insert(item, after: current.id, at: now)
            removeFollowers(of: current.id, at: now)
            call("advanceToNextItem") { $0.advanceToNextItem(at: now) }
        }
        return nil
    }

    /// Removes an item, and those that were loaded to replace it.
    mutating func remove(_ item: ItemID, at now: Instant) {
        call("remove")
        removeFollowers(of: item, at: now)
        player.remove(item, at: now)
    }

    /// Advances to the next item.
    ///
    /// The preloaded item becomes an ordinary one, or is removed.
    mutating func advance(keepsSpare: Bool, at now: Instant) {
        call("advanceToNextItem")
        slideTarget = nil
        if let spare {
            if keepsSpare { player.release(spare.id) } else { player.remove(spare.id, at: now) }
        }
        player.advanceToNextItem(at: now)
    }

    /// Deselects the video rendition of the current item, or selects it again.
    mutating func setVideoWanted(_ isWanted: Bool, at now: Instant) {
        call(isWanted ? "selectVideo" : "deselectVideo") { $0.setVideoWanted(isWanted, at: now) }
    }

    // MARK: The slider

    /// Handles a movement of the app's slider, which has no effect without an item.
    mutating func slide(to target: Duration, at now: Instant) {
        guard player.current?.isFailed == false else { return }
        slideTarget = target
        followSlide(at: now)
    }

    /// Seeks to the position of the slider, if the current item is ready.
    mutating func followSlide(at now: Instant) {
        guard let slideTarget, player.current?.status == .readyToPlay else { return }
        call("seek") { $0.seek(to: slideTarget, at: now) }
    }

    // MARK: Followers

    /// Removes the items that were loaded to replace an item.
    mutating func removeFollowers(of item: ItemID, at now: Instant) {
        for follower in player.items where follower.companion == item { player.remove(follower.id, at: now) }
    }

    // MARK: Renditions

    /// Advances to an item of another rendition at the current position.
    ///
    /// - Returns: The item of a movie player that was recreated for it.
    mutating func replaceCurrent(with rendition: ItemRendition, at now: Instant) -> ItemID? {
        guard let app, let current = player.current else { return nil }
        if let spare = player.items.dropFirst().first, spare.companion == current.id,
            sources.rendition(of: spare.id) == rendition, !spare.isFailed
        {
            player.release(spare.id)
        } else {
            removeFollowers(of: current.id, at: now)
            let isExact = startsExactly(isWanted: app.starts == .exact)
            guard let item = makeItem(rendition, of: current.id, isExact: isExact, at: now) else { return nil }
            slideTarget = nil
            if isMoviePlayer { return remake(with: item, at: now) }
            call("insert") { $0.insert(item, after: current.id, at: now) }
        }
        call("advanceToNextItem") { $0.advanceToNextItem(at: now) }
        if app.restOfQueue == .switches { replaceRest(with: rendition, at: now) }
        followSlide(at: now)
        return nil
    }

    /// Recreates the current item with the same rendition and position.
    ///
    /// - Returns: The item of a movie player that was recreated for it.
    mutating func remakeCurrent(at now: Instant) -> ItemID? {
        rendition.flatMap { replaceCurrent(with: $0, at: now) }
    }

    /// Loads an item of another rendition behind the current one, at its playhead.
    mutating func preload(_ rendition: ItemRendition, at now: Instant) {
        guard let current = player.current, sources.rendition(of: current.id) != rendition, spare == nil,
            let item = makeItem(rendition, of: current.id, isExact: app?.starts == .exact, at: now)
        else { return }
        call("insert") { $0.insert(item, after: current.id, companionOf: current.id, at: now) }
    }

    /// Creates an item of a rendition of another item, at its position.
    private mutating func makeItem(
        _ rendition: ItemRendition,
        of other: ItemID,
        isExact: Bool = true,
        at now: Instant
    ) -> PlayerItem? {
        guard let app, let address = sources.address(of: other), let url = address.url(rendition, as: app.opens) else {
            return nil
        }
        let position = other == player.current?.id ? slideTarget ?? player.position(at: now) : nil
        let item = player.makeItem(url: url, startingAt: position, isExact: isExact)
        sources.add(item.id, address: address, rendition: rendition)
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
        call("insert") { $0.insert(item, after: former, at: now) }
        call("remove") { $0.remove(former, at: now) }
    }

    /// Tears down the movie player, and creates another one.
    private mutating func remake(with item: PlayerItem, at now: Instant) -> ItemID {
        let rate = player.rate
        call("tearDown") { $0.removeAll(at: now) }
        call("make") { $0.insert(item, at: now) }
        if rate > 0 { player.setRate(rate, at: now) }
        return item.id
    }
}
