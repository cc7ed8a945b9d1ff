package import SegueBase
internal import SegueEvents

/// Commands of the app and the platform.
extension QueuePlayer {
    /// Carries out a command, with everything that is due before and after it.
    private mutating func command<Result>(at now: Instant, _ body: (inout QueuePlayer) -> Result) -> Result {
        settle(at: now)
        defer { settle(at: now) }
        return body(&self)
    }

    // MARK: Rate

    /// Plays at normal rate, or at the default rate on platforms that have this setting.
    package mutating func play(at now: Instant) {
        setRate(profile.playback.playsAtDefaultRate ? settings.defaultRate : 1, at: now)
    }

    package mutating func pause(at now: Instant) { setRate(0, at: now) }

    /// Plays at a nonnegative rate; 0 pauses.
    package mutating func setRate(_ rate: Double, at now: Instant) {
        command(at: now) { $0.change(rate: max(0, rate), reason: "command") }
    }

    /// Plays at a rate without waiting for the buffer.
    package mutating func playImmediately(rate: Double = 1, at now: Instant) {
        command(at: now) { player in
            guard let current = player.current, current.isBufferEmpty, rate > 0 else {
                player.drive.isImmediate = true
                return player.change(rate: max(0, rate), reason: "command")
            }
            // With an empty buffer, this is like the state after a stall, without a notice.
            let waits = player.settings.waitsToMinimizeStalls
            player.change(rate: waits ? rate : 0, reason: "command")
            player.drive.isStalling = waits
        }
    }

    // MARK: Queue

    /// Inserts an item.
    ///
    /// - Parameters:
    ///   - item: The item. ``canInsert(_:)`` tells beforehand whether it is accepted.
    ///   - after: The item to insert it after; nil appends it.
    ///   - leader: The current item at whose playhead it loads; nil for an ordinary item.
    /// - Returns: True if it was accepted.
    @discardableResult
    package mutating func insert(
        _ item: PlayerItem,
        after: ItemID? = nil,
        companionOf leader: ItemID? = nil,
        at now: Instant
    ) -> Bool {
        command(at: now) { player in
            guard player.canInsert(item) else {
                return player.refuse(item, "it is in a queue, or belongs to another player")
            }
            var place = player.queue.items.count
            if let after {
                guard let index = player.queue.place(of: after) else {
                    return player.refuse(item, "\(after) is not in the queue")
                }
                place = index + 1
            }
            var item = item
            item.companionship = leader.map { ItemCompanionship(leader: $0) }
            item.media.changePreferences { [settings = player.settings] preferences in
                preferences.peakBitrate = settings.peakBitrate
                preferences.forwardBuffer = settings.forwardBuffer
            }
            player.queue.insert(item, at: place)
            player.context.log(.queueInserted(item: item.id.description, url: item.url))
            if player.queue.items.count == 1 { player.becameCurrent(.inserted) }
            return true
        }
    }

    private mutating func refuse(_ item: PlayerItem, _ reason: String) -> Bool {
        context.log(.queueRefused(item: item.id.description, reason: reason))
        return false
    }

    /// Removes the current item, and starts the next one at the same rate.
    package mutating func advanceToNextItem(at now: Instant) {
        command(at: now) { player in
            if !player.queue.items.isEmpty { player.removeCurrent(reason: "advance") }
        }
    }

    /// Removes an item.
    ///
    /// For the current item, this is ``advanceToNextItem(at:)``.
    package mutating func remove(_ id: ItemID, at now: Instant) {
        command(at: now) { player in
            guard let place = player.queue.place(of: id) else { return }
            if place == 0 {
                player.removeCurrent(reason: "remove")
            } else {
                player.queue.remove(at: place, because: "remove", &player.context)
            }
        }
    }

    /// Removes all items.
    package mutating func removeAll(at now: Instant) {
        command(at: now) { player in
            while player.queue.items.count > 1 {
                player.queue.remove(at: player.queue.items.count - 1, because: "remove", &player.context)
            }
            if !player.queue.items.isEmpty { player.removeCurrent(reason: "remove") }
        }
    }

    /// Turns a preloaded item into an ordinary one.
    mutating func release(_ id: ItemID) { queue.release(id, &context) }

    // MARK: Seek

    /// Moves the current item's playhead.
    ///
    /// The notice `seekEnded` follows when it is finished, or when another seek or the item's removal cancels it.
    ///
    /// - Parameters:
    ///   - before: The tolerance before it; nil for any distance.
    ///   - after: The tolerance after it; nil for any distance.
    /// - Returns: The seek; nil without an item.
    @discardableResult
    package mutating func seek(
        to target: Duration,
        toleranceBefore before: Duration? = .zero,
        toleranceAfter after: Duration? = .zero,
        at now: Instant
    ) -> SeekID? {
        command(at: now) { player in
            guard player.current?.isFailed == false else { return nil }
            player.endScan(.command)
            let isRefused = player.interstitials.refusesSeek(in: player.queue.items[0], to: target)
            if !isRefused { player.endInterstitial(.seek) }
            player.queue.items[0].giveUpSeek(&player.context)
            player.seeks += 1
            let id = SeekID(number: player.seeks)
            player.queue.items[0].begin(
                ItemSeek(id: id, target: target, before: before, after: after),
                &player.context
            )
            if isRefused { player.queue.items[0].endSeek(isFinished: false, &player.context) }
            guard player.queue.items[0].status == .unknown else { return id }
            switch player.profile.playback.seekBeforeReady {
            case .deferred: break
            case .refused: player.queue.items[0].endSeek(isFinished: false, &player.context)
            case .exception:
                let reason = "\(player.queue.items[0].id) is not ready to play"
                player.context.log(.appException(call: "seek", reason: reason))
                player.queue.items[0].endSeek(isFinished: false, &player.context)
            }
            return id
        }
    }

    /// Cancels the seek in progress.
    ///
    /// The playhead stays where it is.
    package mutating func cancelSeeks(at now: Instant) {
        command(at: now) { player in
            if !player.queue.items.isEmpty { player.queue.items[0].giveUpSeek(&player.context) }
        }
    }

    /// Begins to scan the current item at a multiple of normal speed, negative for backward.
    mutating func scan(rate: Double, at now: Instant) {
        command(at: now) { player in
            player.endScan(.command)
            let (support, isInterrupted) = (player.profile.loading.support, player.interstitials.isOn)
            let refusal = player.scanner.refusal(
                of: rate,
                in: player.queue,
                isInterrupted: isInterrupted,
                support
            )
            if let refusal {
                let item = player.queue.current?.id.description ?? ""
                return player.context.log(.scanRefused(item: item, rate: rate, reason: refusal))
            }
            guard let source = player.queue.items[0].client.iFrames(atSpeed: rate.magnitude) else { return }
            player.stop("scan")
            player.scanner.begin(rate: rate, from: source, in: &player.queue, &player.context)
            player.interstitials.giveUp(&player.context)
        }
    }

    /// Ends the scan, and continues at its position.
    mutating func endScan(at now: Instant) { command(at: now) { $0.endScan(.command) } }

    /// Moves a live item to the position at which a viewer joins.
    mutating func jumpToLive(at now: Instant) {
        guard let position = current?.client.livePosition else { return }
        seek(to: position, toleranceBefore: nil, toleranceAfter: nil, at: now)
    }

    // MARK: Settings

    /// Changes settings, which apply to all items in the queue.
    package mutating func set(at now: Instant, _ change: (inout PlayerSettings) -> Void) {
        command(at: now) { player in
            change(&player.settings)
            let settings = player.settings
            for index in player.queue.items.indices {
                player.queue.items[index].media.changePreferences { preferences in
                    preferences.peakBitrate = settings.peakBitrate
                    preferences.forwardBuffer = settings.forwardBuffer
                }
            }
        }
    }

    /// Enables or disables the current item's video, if the platform permits it before the item is ready.
    ///
    /// Its audio continues.
    package mutating func setVideoEnabled(_ isEnabled: Bool, at now: Instant) {
        command(at: now) { player in
            if let current = player.current, current.status == .unknown,
                player.profile.playback.disablingVideo == .whenReady
            {
                let reason = "its tracks are available when it is ready to play, and it is not ready yet"
                return player.context.log(.itemTrackUnchanged(item: current.id.description, reason: reason))
            }
            if !player.queue.items.isEmpty { player.queue.items[0].isVideoEnabled = isEnabled }
            player.interstitials.changeAssets { $0.isVideoEnabled = isEnabled }
        }
    }

    /// Deselects the video rendition of the current item, or selects it again.
    ///
    /// Its audio continues.
    mutating func setVideoWanted(_ isWanted: Bool, at now: Instant) {
        command(at: now) { player in
            if !player.queue.items.isEmpty {
                player.queue.items[0].media.changePreferences { $0.isVideoWanted = isWanted }
            }
            player.interstitials.changeAssets { asset in asset.media.changePreferences { $0.isVideoWanted = isWanted } }
        }
    }

    // MARK: The platform

    /// Pauses playback on behalf of the platform.
    ///
    /// `rate` then reads the value of the profile.
    package mutating func holdByPlatform(reason: String, at now: Instant) {
        command(at: now) { player in
            player.endScan(.interrupted)
            player.stop(reason)
            if !player.queue.items.isEmpty { player.queue.items[0].close(.pausedByPlatform, &player.context) }
            let rate = player.profile.background.rateAfterPause == .zero ? 0.0 : nil
            if player.drive.hold(reading: rate) {
                player.liveSpeed = LiveSpeed()
                player.context.log(.playerRate(rate: 0, reason: reason))
            }
        }
    }

    /// Silences the output, or makes it audible.
    ///
    /// The playhead continues. The change takes effect when the player settles.
    mutating func setSilenced(_ isSilenced: Bool) { playhead.isSilenced = isSilenced }

    /// Reloads the current item on an AirPlay receiver, or on the device again.
    mutating func changeLoader(isRemote: Bool, at now: Instant) {
        guard isRemote != context.isRemote else { return }
        command(at: now) { player in
            player.context.isRemote = isRemote
            guard player.current?.isFailed == false else { return }
            player.endScan(.interrupted)
            player.stop("route")
            player.queue.items[0].reload(&player.context)
        }
    }

    /// Handles permission of the media service to play an item from an instant on.
    mutating func allow(_ id: ItemID, from: Instant, at now: Instant) {
        if drive.gate.allow(id, from: from) { settle(at: now) }
    }

    /// Handles a refusal of the media service, which fails the item.
    mutating func reject(_ id: ItemID, reason: String, at now: Instant) {
        context.now = now
        guard let place = queue.place(of: id) else { return }
        fail(place, PlaybackError(.platform, code: 1, reason))
        settle(at: now)
    }

    /// Fails every item.
    mutating func failAll(_ error: PlaybackError, at now: Instant) {
        command(at: now) { player in
            for place in player.queue.items.indices.reversed() { player.fail(place, error) }
        }
    }

    /// Skips media during playback.
    mutating func skip(_ duration: Duration, reason: String, at now: Instant) {
        command(at: now) { player in
            guard player.playhead.clock != nil, !player.interstitials.isOn, let current = player.current else { return }
            player.stop(reason)
            let end = current.duration ?? current.bufferedEnd
            player.queue.items[0].position = min(player.queue.items[0].position + duration, end)
            player.queue.items[0].move(to: player.queue.items[0].position, &player.context)
        }
    }
}
