internal import SegueBase

/// The logs of items that are or were in the queue, and of interstitials.
extension RenditionPlayer {
    /// The item whose logs count: the current one, or the last one.
    var loggedItem: PlayerItem? { player.current ?? player.removed.last }

    /// The last error of that item.
    var loggedError: PlaybackError? { loggedItem?.reportedError ?? loggedItem?.journal.errors.last?.reported }

    /// Returns the sum of a value over that item's access log.
    func sum(_ part: (AccessLogEntry) -> Double) -> Double {
        loggedItem.map { $0.journal.access.reduce(0) { $0 + part($1) } } ?? 0
    }

    private var allItems: [PlayerItem] {
        (player.removed + player.items + player.interstitials.all).sorted { $0.id < $1.id }
    }

    /// The access logs of all items, in the W3C extended log file format, with times in seconds.
    func extendedAccessLog(at now: Instant) -> String {
        let entries = watched(at: now).allItems.flatMap { item in
            item.journal.access.map { "\(item.id) \($0.extendedLine)\n" }
        }
        return "#Version: 1.0\n#Fields: x-item \(AccessLogEntry.extendedFields)\n" + entries.joined()
    }

    /// The error logs of all items, in the same format.
    var extendedErrorLog: String {
        let entries = allItems.flatMap { item in item.journal.errors.map { "\(item.id) \($0.extendedLine)\n" } }
        return "#Version: 1.0\n#Fields: x-item \(ErrorLogEntry.extendedFields)\n" + entries.joined()
    }

    /// The access log and error log of an item that is or was in the queue; empty for an unknown one.
    func journal(of item: ItemID, at now: Instant) -> ItemJournal {
        watched(at: now).player.item(item)?.journal ?? ItemJournal()
    }

    /// Returns the player with an access log that is up to date.
    private func watched(at now: Instant) -> RenditionPlayer {
        var copy = self
        copy.player.noteWatched(at: now)
        return copy
    }

    /// Describes the current item and the status in one line.
    func stateDescription(at now: Instant) -> [Message] {
        var parts: [Message] = []
        if let item = player.current {
            let ahead = item.bufferedEnd - item.position
            parts.append(
                "\(value: item.id) \(item.status.name) at \(player.position(at: now).seconds) of"
                    + " \(item.duration.map { "\($0.seconds)" as Message } ?? "?") s, \(ahead.seconds) s ahead"
                    + (item.error.map { ", \(quoting: "\($0)")" } ?? "")
            )
        } else {
            parts.append("no item")
        }
        parts.append("player \(player.timeControl.name) \(player.timeControl.waitingFor) at rate \(player.rate)")
        if player.isHeldByPlatform { parts.append("held by the platform") }
        return parts
    }
}
