package import SegueBase

extension PlaybackSession {
    /// Whether every item has played to its end or has left the queue, or nothing can be played at all.
    package var isFinished: Bool { isUnavailable || hasPlayedAll }

    /// When the playhead will be at a position of the current item if nothing changes: now when it is there or behind it
    /// already, nil when it does not move.
    ///
    /// To be asked again after each input.
    package func instant(whenAt target: Duration, at now: Instant) -> Instant? {
        guard player.current != nil else { return nil }
        return player.position(at: now) >= target ? now : player.playhead.clock?.instant(of: target)
    }

    /// The phase that the app's life is in.
    package var phase: String { device.lifecycle.phase.rawValue }

    /// The phases of an app's life, as `platform.lifecycle` tells them.
    package static let phases = Lifecycle.Step.allCases.map(\.rawValue)

    /// Where the playhead is; zero without an item.
    package func position(at now: Instant) -> Duration { player.position(at: now) }

    /// How long the current item is; nil until known.
    package var duration: Duration? { player.current?.duration }

    /// Whether the current item has failed and stays.
    package var isFailed: Bool { player.current?.isFailed ?? false }

    /// Whether the app is on the screen, with no phase of its life under way.
    package var isInForeground: Bool { device.lifecycle.isInForeground }

    /// Whether the app is in the background, with no phase of its life under way.
    package var isInBackground: Bool { device.lifecycle.isSettledInBackground }

    /// Where sound comes out.
    package var route: AudioRoute { device.route }

    /// Whether the app's code does not run.
    package var isSuspended: Bool { device.lifecycle.isSuspended }

    /// The item that is loaded ahead, to take the current one's place; nil without one.
    var spare: PlayerItem? {
        guard let current = player.current else { return nil }
        return player.items.first { $0.companion == current.id }
    }

    /// How many items have failed that were made from the same source as one.
    func failures(of item: ItemID) -> Int {
        (player.removed + player.items).count { $0.isFailed && ($0.id == item || sources.isSame($0.id, item)) }
    }

    /// The rendition of the current item; nil without one.
    package var rendition: ItemRendition? { player.current.flatMap { sources.rendition(of: $0.id) } }

    /// The rendition that an item was made as; nil for an unknown one.
    package func rendition(of item: ItemID) -> ItemRendition? { sources.rendition(of: item) }

    /// The addresses that an item was made from; nil for an unknown one.
    package func address(of item: ItemID) -> ItemAddress? { sources.address(of: item) }

    /// Bytes that came.
    package var bytes: Int { traffic.bytes }

    /// The access logs of all items that were in the queue, in the W3C extended log file format; times in seconds.
    package func extendedAccessLog(at now: Instant) -> String {
        var player = self.player
        player.noteWatched(at: now)
        let items = (player.removed + player.items + player.interstitials.all).sorted { $0.id < $1.id }
        let entries = items.flatMap { item in item.journal.access.map { "\(item.id) \($0.extendedLine)\n" } }
        return "#Version: 1.0\n#Fields: x-item \(AccessLogEntry.extendedFields)\n" + entries.joined()
    }

    /// The access log and the error log of an item that is or was in the queue; empty for an unknown one.
    package func journal(of item: ItemID, at now: Instant) -> ItemJournal {
        var player = self.player
        player.noteWatched(at: now)
        return player.item(item)?.journal ?? ItemJournal()
    }

    /// The error logs of all items that were in the queue, in the same format.
    package var extendedErrorLog: String {
        let items = (player.removed + player.items + player.interstitials.all).sorted { $0.id < $1.id }
        let entries = items.flatMap { item in item.journal.errors.map { "\(item.id) \($0.extendedLine)\n" } }
        return "#Version: 1.0\n#Fields: x-item \(ErrorLogEntry.extendedFields)\n" + entries.joined()
    }

    /// A number for the source of an item: items that are renditions of one source have the same.
    package func sourceNumber(of item: ItemID) -> Int {
        sources.number(of: item)
    }

    /// The state of every part in one line, for a run that makes no progress.
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
