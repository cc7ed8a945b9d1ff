package import SegueBase

extension PlaybackSession {
    /// True if every item has played to its end or has left the queue, or nothing can play.
    package var isFinished: Bool { isUnavailable || hasPlayedAll }

    /// Returns the instant at which the playhead reaches a position of the current item if nothing changes; nil if it
    /// does not move.
    ///
    /// The result is valid until the next input.
    package func instant(whenAt target: Duration, at now: Instant) -> Instant? {
        guard player.current != nil else { return nil }
        return player.position(at: now) >= target ? now : player.playhead.clock?.instant(of: target)
    }

    /// The phase of the app's life.
    package var phase: String { device.lifecycle.phase.rawValue }

    /// The names of all phases in `platform.lifecycle`.
    package static let phases = Lifecycle.Step.allCases.map(\.rawValue)

    /// The position of the playhead; zero without an item.
    package func position(at now: Instant) -> Duration { player.position(at: now) }

    /// The duration of the current item; nil until it is known.
    package var duration: Duration? { player.current?.duration }

    /// True if the current item has failed.
    package var isFailed: Bool { player.current?.isFailed ?? false }

    /// True if the app is on the screen, with no phase pending.
    package var isInForeground: Bool { device.lifecycle.isInForeground }

    /// True if the app is in the background, with no phase pending.
    package var isInBackground: Bool { device.lifecycle.isSettledInBackground }

    /// The audio output.
    package var route: AudioRoute { device.route }

    /// True if the app's code is suspended.
    package var isSuspended: Bool { device.lifecycle.isSuspended }

    /// The preloaded item that will replace the current one.
    var spare: PlayerItem? {
        guard let current = player.current else { return nil }
        return player.items.first { $0.companion == current.id }
    }

    /// Returns the number of failed items with the same source.
    func failures(of item: ItemID) -> Int {
        (player.removed + player.items).count { $0.isFailed && ($0.id == item || sources.isSame($0.id, item)) }
    }

    package var rendition: ItemRendition? { player.current.flatMap { sources.rendition(of: $0.id) } }

    /// The rendition of an item; nil for an unknown one.
    package func rendition(of item: ItemID) -> ItemRendition? { sources.rendition(of: item) }

    /// The source of an item; nil for an unknown one.
    package func address(of item: ItemID) -> ItemAddress? { sources.address(of: item) }

    /// The number of bytes received.
    package var bytes: Int { traffic.bytes }

    /// The access logs of all items, in the W3C extended log file format, with times in seconds.
    package func extendedAccessLog(at now: Instant) -> String {
        var player = self.player
        player.noteWatched(at: now)
        let items = (player.removed + player.items + player.interstitials.all).sorted { $0.id < $1.id }
        let entries = items.flatMap { item in item.journal.access.map { "\(item.id) \($0.extendedLine)\n" } }
        return "#Version: 1.0\n#Fields: x-item \(AccessLogEntry.extendedFields)\n" + entries.joined()
    }

    /// The access log and error log of an item that is or was in the queue; empty for an unknown one.
    package func journal(of item: ItemID, at now: Instant) -> ItemJournal {
        var player = self.player
        player.noteWatched(at: now)
        return player.item(item)?.journal ?? ItemJournal()
    }

    /// The error logs of all items, in the same format.
    package var extendedErrorLog: String {
        let items = (player.removed + player.items + player.interstitials.all).sorted { $0.id < $1.id }
        let entries = items.flatMap { item in item.journal.errors.map { "\(item.id) \($0.extendedLine)\n" } }
        return "#Version: 1.0\n#Fields: x-item \(ErrorLogEntry.extendedFields)\n" + entries.joined()
    }

    /// Returns a number for the source of an item.
    ///
    /// Renditions of one source have the same number.
    package func sourceNumber(of item: ItemID) -> Int {
        sources.number(of: item)
    }

    /// Describes the state of every part in one line, for a run that makes no progress.
    package func stateDescription(at now: Instant) -> String {
        var parts: [String] = []
        if let item = player.current {
            let ahead = item.bufferedEnd - item.position
            parts.append(
                "\(item.id) \(item.status.name) at \(player.position(at: now).seconds) of"
                    + " \(item.duration.map { "\($0.seconds)" } ?? "?") s, \(ahead.seconds) s ahead"
                    + (item.error.map { ", \($0)" } ?? "")
            )
        } else {
            parts.append("no item")
        }
        parts.append("player \(player.timeControl.name) \(player.timeControl.waitingFor) at rate \(player.rate)")
        if player.isHeldByPlatform { parts.append("held by the platform") }
        parts.append("platform \(device.lifecycle.phase.rawValue)")
        if device.isServicePending { parts.append("media service asked") }
        parts.append("\(traffic.underway) request\(traffic.underway == 1 ? "" : "s") under way")
        return parts.joined(separator: "; ")
    }
}
