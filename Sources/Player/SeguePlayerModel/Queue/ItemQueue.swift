internal import SegueBase
internal import SegueEvents

/// The queue of a player, and the items that have left it.
struct ItemQueue: Sendable {
    /// The items; the first one is the current one.
    var items: [PlayerItem] = []

    /// The items that left the queue, oldest first, with their logs.
    private(set) var removed: [PlayerItem] = []

    /// The number of the player in its session.
    let player: Int

    /// The number of items created for the player.
    private(set) var made = 0

    /// The session ID in client data.
    let session: String

    init(player: Int, session: String) { (self.player, self.session) = (player, session) }

    var current: PlayerItem? { items.first }

    /// Returns an item that is or was in the queue.
    func item(_ id: ItemID) -> PlayerItem? { items.first { $0.id == id } ?? removed.last { $0.id == id } }

    /// Returns the index of an item in the queue.
    func place(of id: ItemID) -> Int? { items.firstIndex { $0.id == id } }

    /// Creates an item without inserting it.
    mutating func makeItem(
        url: String,
        startingAt start: Duration?,
        isExact: Bool,
        _ settings: PlatformProfile.Loading
    ) -> PlayerItem {
        made += 1
        return PlayerItem(
            id: ItemID(made),
            url: url,
            startingAt: start?.inWholeNanoseconds,
            isExact: isExact,
            settings: settings,
            session: session
        )
    }

    /// Returns whether an item may be inserted: it is in no queue, and was never in another player's.
    func accepts(_ item: PlayerItem) -> Bool { (item.player ?? player) == player && place(of: item.id) == nil }

    mutating func insert(_ item: PlayerItem, at place: Int) {
        var item = item
        item.player = player
        // An item that returns is in the queue only, with the logs that it had.
        removed.removeAll { $0.id == item.id }
        items.insert(item, at: place)
    }

    /// Removes an item.
    mutating func remove(at place: Int, because reason: String, _ context: inout StepContext) {
        var item = items.remove(at: place)
        item.stop(&context)
        item.close(.removal, &context)
        context.log(.queueRemoved(item: item.id.description, reason: reason))
        removed.append(item)
    }

    // MARK: The current item

    /// The source of requests for the current item, if there is one.
    func source(_ settings: PlatformProfile.Loading) -> MediaSource? {
        items.first.map { MediaSource(item: $0.id, url: $0.url, settings: settings, session: session) }
    }

    /// Runs an operation with the current item's logs in the step context.
    mutating func lendLogs<Result>(_ context: inout StepContext, _ body: (inout StepContext) -> Result) -> Result {
        items[0].media.lendLogs(&context, body)
    }

    // MARK: Preloaded items

    /// True if the second item is preloaded at the playhead of the current one, to replace it.
    var hasCompanion: Bool { items.count > 1 && items[1].companion == items[0].id }

    /// Turns a preloaded item into an ordinary one.
    mutating func release(_ id: ItemID, _ context: inout StepContext) {
        guard let place = place(of: id) else { return }
        items[place].companionship = nil
        items[place].move(to: items[place].position, &context)
    }

    /// Moves a preloaded item to the position of the current one.
    ///
    /// If the playhead overtakes the segment that is loading, the item loads from two segments further on.
    mutating func leadCompanion(_ context: inout StepContext) {
        guard hasCompanion else { return }
        let playhead = items[0].loadingPosition
        let position = items[1].duration.map { min($0, playhead) } ?? playhead
        let former = items[1].position
        guard position != former else { return }
        items[1].position = position
        var aim = position
        if items[1].client.bufferedEnd(from: position) <= position {
            let client = items[1].client
            guard let aimed = client.segmentBounds(at: items[1].companionship?.aim ?? former), position >= aimed.end,
                let bounds = client.segmentBounds(at: position)
            else { return }
            aim = bounds.start + (bounds.end - bounds.start) * 2
        }
        items[1].companionship?.aim = aim
        items[1].move(to: aim, &context)
    }
}
