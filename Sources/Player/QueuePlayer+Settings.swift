package import Timeline

/// What an app sets of a player, and what a platform does to one.
extension QueuePlayer {
    /// Sets whether it waits until playback is likely to go on without a stall.
    package mutating func setWaitsToMinimizeStalls(_ waits: Bool, at now: Instant) {
        settle(at: now)
        waitsToMinimizeStalls = waits
        settle(at: now)
    }

    /// Sets the most that a variant may take, in bits per second; 0 for no limit.
    package mutating func setPeakBitrate(_ bitrate: Int, at now: Instant) {
        settle(at: now)
        peakBitrate = bitrate
        for index in items.indices { items[index].client.wishes.peakBitrate = bitrate }
        settle(at: now)
    }

    /// Sets how much is to be buffered ahead; zero leaves it to the platform.
    package mutating func setForwardBuffer(_ duration: Duration, at now: Instant) {
        settle(at: now)
        forwardBuffer = duration
        for index in items.indices { items[index].client.wishes.forwardBuffer = duration }
        settle(at: now)
    }

    /// Enables or disables the current item's picture; its sound goes on.
    package mutating func setVideoEnabled(_ isEnabled: Bool, at now: Instant) {
        settle(at: now)
        guard !items.isEmpty else { return }
        items[0].isVideoEnabled = isEnabled
        settle(at: now)
    }

    /// Lets go of the video rendition of the current item, or takes it up again; its sound goes on.
    mutating func setVideoWanted(_ isWanted: Bool, at now: Instant) {
        settle(at: now)
        guard !items.isEmpty else { return }
        items[0].client.wishes.isVideoWanted = isWanted
        settle(at: now)
    }

    /// Leaves some of the item out while it plays.
    mutating func skip(_ duration: Duration, reason: String, at now: Instant) {
        settle(at: now)
        guard clock != nil, let current else { return }
        stopClock(at: now, reason: reason)
        let end = current.duration ?? current.bufferedEnd
        items[0].position = min(items[0].position + duration, end)
        items[0].move(to: items[0].position, &turn)
        settle(at: now)
    }

    /// An item without an end goes on as near its live edge as where one joins it.
    mutating func jumpToLive(at now: Instant) {
        guard let position = current?.client.livePosition else { return }
        seek(to: position, toleranceBefore: nil, toleranceAfter: nil, at: now)
    }

    /// Hands on what has come and was kept until there would be more.
    mutating func handOn(at now: Instant) {
        turn.now = now
        for index in items.indices { items[index].handOn(&turn) }
    }

    /// Every item fails.
    mutating func failAll(_ error: PlaybackError, at now: Instant) {
        settle(at: now)
        for index in items.indices.reversed() { fail(index, error, at: now) }
        settle(at: now)
    }

    /// An item that was loaded ahead waits in line like others.
    mutating func release(_ id: ItemID) {
        guard let index = items.firstIndex(where: { $0.id == id }) else { return }
        items[index].companion = nil
        items[index].aim = nil
        items[index].move(to: items[index].position, &turn)
    }

    /// An item that is loaded ahead is where the current one is.
    ///
    /// Where the playhead overtook what it was loading, it loads from where that will be two segments later.
    mutating func leadCompanion() {
        guard items.count > 1, let current, items[1].companion == current.id else { return }
        let companion = items[1]
        let position = companion.duration.map { min($0, current.loadingPosition) } ?? current.loadingPosition
        guard position != companion.position else { return }
        items[1].position = position
        if companion.client.bufferedEnd(from: position) > position {
            items[1].aim = position
            items[1].move(to: position, &turn)
            return
        }
        let client = companion.client
        guard let aimed = client.segmentBounds(at: companion.aim ?? companion.position), position >= aimed.end,
            let bounds = client.segmentBounds(at: position)
        else { return }
        let aim = bounds.start + (bounds.end - bounds.start) * 2
        items[1].aim = aim
        items[1].move(to: aim, &turn)
    }
}
