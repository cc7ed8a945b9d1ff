internal import Events
package import Fetch
package import Timeline

extension QueuePlayer {
    // MARK: Rate

    /// Plays at the normal rate, or at the default one where the platform has such a setting.
    package mutating func play(at now: Instant) {
        setRate(profile.playback.playsAtDefaultRate ? defaultRate : 1, at: now)
    }

    /// Pauses.
    package mutating func pause(at now: Instant) { setRate(0, at: now) }

    /// Plays at a rate, which is not below zero; 0 pauses.
    package mutating func setRate(_ rate: Double, at now: Instant) {
        settle(at: now)
        change(rate: max(0, rate), reason: "command", at: now)
        settle(at: now)
    }

    /// Plays at a rate without waiting for enough to be buffered.
    package mutating func playImmediately(rate: Double = 1, at now: Instant) {
        settle(at: now)
        guard let current, current.isBufferEmpty, rate > 0 else {
            isImmediate = true
            change(rate: max(0, rate), reason: "command", at: now)
            settle(at: now)
            return
        }
        // With nothing buffered it is as after a stall, of which nobody is told.
        change(rate: waitsToMinimizeStalls ? rate : 0, reason: "command", at: now)
        isStalling = waitsToMinimizeStalls
        settle(at: now)
    }

    /// Sets the rate as read, and lets go of what the platform held.
    mutating func change(rate: Double, reason: String, at now: Instant) {
        if rate > 0, wishedAt == nil { wishedAt = now }
        if rate == 0 {
            wishedAt = nil
            gate = .closed
            follows = false
            isImmediate = false
            isStalling = false
            stopClock(at: now, reason: reason)
        } else if let clock, clock.rate != rate {
            stopClock(at: now, reason: "rate")
        }
        isHeldByPlatform = false
        guard rate != self.rate else { return }
        self.rate = rate
        turn.log(.playerRate(rate: rate, reason: reason))
    }

    // MARK: Queue

    /// Puts an item into the queue.
    ///
    /// - Parameters:
    ///   - item: The item; ``canInsert(_:)`` says beforehand whether it is taken.
    ///   - after: The item that it comes after; nil for the end of the queue.
    ///   - leader: The current item at whose playhead it loads; nil for an item that waits in line.
    ///   - now: The present time.
    /// - Returns: Whether it was taken.
    @discardableResult
    package mutating func insert(
        _ item: PlayerItem,
        after: ItemID? = nil,
        companionOf leader: ItemID? = nil,
        at now: Instant
    ) -> Bool {
        settle(at: now)
        guard canInsert(item) else { return refuse(item, "it is in a queue, or belongs to another player") }
        var place = items.count
        if let after {
            guard let index = items.firstIndex(where: { $0.id == after }) else {
                return refuse(item, "\(after) is not in the queue")
            }
            place = index + 1
        }
        var item = item
        item.player = number
        item.companion = leader
        item.client.wishes.peakBitrate = peakBitrate
        item.client.wishes.forwardBuffer = forwardBuffer
        // One that comes back is in the queue alone, with the logs that it had.
        removed.removeAll { $0.id == item.id }
        items.insert(item, at: place)
        turn.log(.queueInserted(item: item.id.description, url: item.url))
        if items.count == 1 { becameCurrent(at: now, follows: false) }
        settle(at: now)
        return true
    }

    private mutating func refuse(_ item: PlayerItem, _ reason: String) -> Bool {
        turn.log(.queueRefused(item: item.id.description, reason: reason))
        return false
    }

    /// Removes the current item and starts the next one with the rate kept.
    package mutating func advanceToNextItem(at now: Instant) {
        settle(at: now)
        guard !items.isEmpty else { return }
        removeCurrent(reason: "advance", follows: false, at: now)
        settle(at: now)
    }

    /// Removes an item; of the current one the same as ``advanceToNextItem(at:)``.
    package mutating func remove(_ id: ItemID, at now: Instant) {
        settle(at: now)
        guard let index = items.firstIndex(where: { $0.id == id }) else { return }
        if index == 0 {
            removeCurrent(reason: "remove", follows: false, at: now)
        } else {
            var item = items.remove(at: index)
            retire(&item, because: .removal, reason: "remove", at: now)
        }
        settle(at: now)
    }

    /// Empties the queue.
    package mutating func removeAll(at now: Instant) {
        settle(at: now)
        while items.count > 1 {
            var item = items.removeLast()
            retire(&item, because: .removal, reason: "remove", at: now)
        }
        if !items.isEmpty { removeCurrent(reason: "remove", follows: false, at: now) }
        settle(at: now)
    }

    // MARK: Seek

    /// Moves the current item's playhead.
    ///
    /// `seekEnded` tells when it is done, or that another seek, or the item's leaving, displaced it.
    ///
    /// - Parameters:
    ///   - target: Where to.
    ///   - before: How far before it may land; nil for any distance.
    ///   - after: How far behind it may land; nil for any distance.
    ///   - now: The present time.
    /// - Returns: The seek's name; nil without an item.
    @discardableResult
    package mutating func seek(
        to target: Duration,
        toleranceBefore before: Duration? = .zero,
        toleranceAfter after: Duration? = .zero,
        at now: Instant
    ) -> SeekID? {
        settle(at: now)
        guard let current, !current.isFailed else { return nil }
        giveUpSeek()
        items[0].hasEnded = false
        let id = makeSeek()
        let anyDistance = Duration.seconds(1_000_000_000)
        items[0].seek = PlayerItem.Seek(
            id: id,
            target: max(.zero, target).inWholeNanoseconds,
            before: before ?? anyDistance,
            after: after ?? anyDistance
        )
        turn.log(
            .seekBegan(
                item: current.id.description,
                target: target.seconds,
                toleranceBefore: before.map(\.seconds) ?? -1,
                toleranceAfter: after.map(\.seconds) ?? -1
            )
        )
        if items[0].status == .unknown {
            switch profile.playback.seekBeforeReady {
            case .deferred: break
            case .refused: endSeek(isFinished: false)
            case .exception:
                turn.log(.appException(call: "seek", reason: "\(current.id) is not ready to play"))
                endSeek(isFinished: false)
            }
        }
        settle(at: now)
        return id
    }

    /// Ends the seek in progress; the playhead stays where it was.
    package mutating func cancelSeeks(at now: Instant) {
        settle(at: now)
        giveUpSeek()
        settle(at: now)
    }

    /// Ends the seek in progress, and loads where the playhead is.
    private mutating func giveUpSeek() {
        guard let current, current.seek != nil else { return }
        endSeek(isFinished: false)
        items[0].move(to: current.position, &turn)
    }

    /// Ends the current item's seek, when there is one.
    mutating func endSeek(isFinished: Bool) {
        guard let current, let seek = current.seek else { return }
        items[0].seek = nil
        turn.log(
            .seekEnded(item: current.id.description, position: current.position.seconds, isFinished: isFinished)
        )
        turn.notify(.seekEnded(seek.id, isFinished: isFinished))
    }

    // MARK: The platform

    /// The platform pauses playback; `rate` reads what its profile says.
    package mutating func holdByPlatform(reason: String, at now: Instant) {
        settle(at: now)
        stopClock(at: now, reason: reason)
        if !items.isEmpty { items[0].close(.pausedByPlatform, &turn) }
        gate = .closed
        follows = false
        isHeldByPlatform = true
        if profile.background.rateAfterPause == .zero, rate != 0 {
            rate = 0
            turn.log(.playerRate(rate: 0, reason: reason))
        }
        settle(at: now)
    }

    /// The media service lets an item be played from an instant on.
    mutating func allow(_ id: ItemID, from: Instant, at now: Instant) {
        turn.now = now
        guard gate == .requested(id) else { return }
        gate = .open(id, from: from)
        settle(at: now)
    }

    /// The media service refuses an item, which fails.
    mutating func reject(_ id: ItemID, reason: String, at now: Instant) {
        turn.now = now
        guard let index = items.firstIndex(where: { $0.id == id }) else { return }
        fail(index, PlaybackError(.platform, 1, reason), at: now)
        settle(at: now)
    }

    // MARK: News

    /// Takes in news of a request.
    ///
    /// - Returns: Whether anything may have changed; a part of a resource seldom changes anything.
    @discardableResult
    package mutating func handle(_ event: FetchEvent, at now: Instant) -> Bool {
        turn.now = now
        var isNews = event.isOutcome
        if let index = items.indices.first(where: { items[$0].client.owns(event.id) }) {
            isNews = items[index].handle(event, &turn) || isNews
        }
        if isNews { settle(at: now) }
        return isNews
    }
}

extension FetchEvent {
    /// Whether it ends its request.
    var isOutcome: Bool {
        switch self {
        case .response, .data: false
        case .finished, .failed: true
        }
    }
}
