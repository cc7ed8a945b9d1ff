internal import SegueBase
internal import SegueEvents

/// The queue of a player, and what has left it.
struct ItemQueue: Sendable {
    /// The first item is the current one.
    var items: [PlayerItem] = []

    /// Items that left the queue, oldest first, with their logs.
    private(set) var removed: [PlayerItem] = []

    /// Tells the player from others of the session.
    let player: Int

    /// How many items were made for it.
    private var made = 0

    init(player: Int) { self.player = player }

    /// The item that plays, or would.
    var current: PlayerItem? { items.first }

    /// An item in the queue, or one that has left it.
    func item(_ id: ItemID) -> PlayerItem? { items.first { $0.id == id } ?? removed.last { $0.id == id } }

    /// The place of an item in the queue; nil where it is not in it.
    func place(of id: ItemID) -> Int? { items.firstIndex { $0.id == id } }

    /// The name of another item.
    mutating func nextID() -> ItemID {
        made += 1
        return ItemID(made)
    }

    /// Whether an item may be inserted: it is in no queue, and was never in another player's.
    func takes(_ item: PlayerItem) -> Bool { (item.player ?? player) == player && place(of: item.id) == nil }

    /// Puts an item into the queue.
    mutating func insert(_ item: PlayerItem, at place: Int) {
        var item = item
        item.player = player
        // One that comes back is in the queue alone, with the logs that it had.
        removed.removeAll { $0.id == item.id }
        items.insert(item, at: place)
    }

    /// Takes an item out of the queue.
    mutating func remove(at place: Int, because reason: String, _ turn: inout Turn) {
        var item = items.remove(at: place)
        item.stop(&turn)
        item.close(.removal, &turn)
        turn.log(.queueRemoved(item: item.id.description, reason: reason))
        removed.append(item)
    }

    // MARK: Items that load ahead

    /// Whether the second item loads at the playhead of the current one, to take its place.
    var hasCompanion: Bool { items.count > 1 && items[1].companion == items[0].id }

    /// An item that was loaded ahead waits in line like others.
    mutating func release(_ id: ItemID, _ turn: inout Turn) {
        guard let place = place(of: id) else { return }
        items[place].companionship = nil
        items[place].move(to: items[place].position, &turn)
    }

    /// An item that is loaded ahead is where the current one is.
    ///
    /// Where the playhead overtook what it was loading, it loads from where that will be two segments later.
    mutating func leadCompanion(_ turn: inout Turn) {
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
        items[1].move(to: aim, &turn)
    }
}
