internal import Events
package import Timeline

extension QueuePlayer {
    /// Does everything that is due, until nothing changes any more.
    ///
    /// - Parameters:
    ///   - now: The present time.
    ///   - isServiceAsked: Whether the media service has had its say at this instant, so that waiting for it is news.
    package mutating func settle(at now: Instant, isServiceAsked: Bool = false) {
        turn.now = now
        var isChanging = true
        while isChanging {
            isChanging = runClock(at: now)
            leadCompanion()
            load(at: now)
            for index in items.indices.reversed() where learn(index, at: now) { isChanging = true }
            if finishSeek(at: now) { isChanging = true }
            noteBuffers(at: now)
            followTracks(at: now)
            if control(at: now, isServiceAsked: isServiceAsked) { isChanging = true }
        }
        if !items.isEmpty, !items[0].isFailed { items[0].follow(timeControl, &turn) }
    }

    // MARK: The playhead

    /// Moves the playhead to where it is now, at the most to where media are missing or the item ends.
    private mutating func runClock(at now: Instant) -> Bool {
        guard let clock, !items.isEmpty else { return false }
        let limit = items[0].bufferedEnd
        let reached = clock.instant(of: limit)
        guard reached <= now else {
            moveCurrent(to: min(clock.position(at: now), limit))
            return false
        }
        moveCurrent(to: limit)
        leadCompanion()
        let isAtEnd = items[0].duration.map { limit >= $0 } ?? false
        stopClock(at: reached, reason: isAtEnd ? "end" : "stall")
        if isAtEnd { playedToEnd(at: now) } else { stalled(at: now) }
        return true
    }

    private mutating func moveCurrent(to position: Duration) {
        items[0].position = position
        items[0].move(to: position, &turn)
    }

    mutating func startClock(at now: Instant) {
        guard let current else { return }
        clock = Clock(position: current.position, instant: now, rate: rate)
        items[0].hasBegun = true
        isImmediate = false
        isStalling = false
        let gaps = current.client.gaps(at: current.position)
        let hasAudio = current.tracks?.hasAudio ?? false
        let hasVideo = current.playsPictures && !gaps.ofPictures
        trail.begin(
            item: current.id,
            url: current.url,
            hasSound: hasAudio,
            isGap: gaps.ofSound,
            isShown: hasVideo,
            rate: rate,
            position: current.position,
            at: now
        )
        let indicated = current.client.indicatedBitrate
        let startup = wishedAt.map { now - $0 }
        let isFirst = current.journal.access.allSatisfy { $0.startupTime == nil }
        items[0].journal.update(uri: current.client.playlistURL, at: now) { entry in
            entry.indicatedBitrate = indicated
            entry.uri = current.client.playlistURL
            if isFirst { entry.startupTime = startup }
        }
        if trail.isHeard { turn.log(.soundBegan(item: current.id.description, position: current.position.seconds)) }
        if hasVideo { turn.log(.pictureBegan(item: current.id.description, position: current.position.seconds)) }
    }

    /// Pictures come or go, or a gap of the playlist begins or ends, while the playhead goes on.
    private mutating func followTracks(at now: Instant) {
        guard let clock, !items.isEmpty else { return }
        // The clock has moved the item to where it is now.
        let gaps = items[0].client.gaps(at: items[0].position)
        let isShown = items[0].playsPictures && !gaps.ofPictures
        guard trail.isShown != isShown || trail.isGap != gaps.ofSound else { return }
        let current = items[0]
        let position = min(clock.position(at: now), current.bufferedEnd)
        let name = current.id.description
        let wasHeard = trail.isHeard
        let isOfGap = trail.isGap != gaps.ofSound || gaps.ofPictures && current.playsPictures
        let reason = isOfGap ? "gap" : "pictures"
        if trail.isShown != isShown {
            turn.log(
                isShown
                    ? .pictureBegan(item: name, position: position.seconds)
                    : .pictureEnded(item: name, position: position.seconds, reason: reason)
            )
        }
        trail.change(isGap: gaps.ofSound, isShown: isShown, position: position, at: now, reason: reason)
        guard trail.isHeard != wasHeard else { return }
        turn.log(
            wasHeard
                ? .soundEnded(item: name, position: position.seconds, reason: reason)
                : .soundBegan(item: name, position: position.seconds)
        )
    }

    /// Stops the playhead where it is.
    mutating func stopClock(at now: Instant, reason: String) {
        guard let clock, let current else { return }
        let position = max(current.position, min(clock.position(at: now), current.bufferedEnd))
        items[0].position = position
        self.clock = nil
        let from = current.watchedFrom ?? clock.position
        items[0].watchedFrom = nil
        items[0].journal.update(uri: current.client.playlistURL, at: now) { $0.watched += max(.zero, position - from) }
        if trail.isHeard {
            turn.log(.soundEnded(item: current.id.description, position: position.seconds, reason: reason))
        }
        if trail.isShown {
            turn.log(.pictureEnded(item: current.id.description, position: position.seconds, reason: reason))
        }
        trail.end(position: position, at: now, reason: reason)
    }

    private mutating func stalled(at now: Instant) {
        guard let current else { return }
        turn.log(.itemStalled(item: current.id.description, position: current.position.seconds))
        turn.notify(.itemStalled(current.id))
        items[0].journal.update(uri: current.client.playlistURL, at: now) { $0.stalls += 1 }
        items[0].client.starve()
        items[0].close(.stall, &turn)
        if waitsToMinimizeStalls {
            isStalling = true
        } else {
            change(rate: 0, reason: "stall", at: now)
        }
    }

    private mutating func playedToEnd(at now: Instant) {
        guard let current else { return }
        turn.log(.itemPlayedToEnd(item: current.id.description))
        turn.notify(.itemPlayedToEnd(current.id))
        items[0].close(.end, &turn)
        switch actionAtItemEnd {
        case .advance: removeCurrent(reason: "played to its end", follows: true, at: now)
        case .none where profile.playback.endWithoutAction == .runsOn: items[0].hasEnded = true
        case .pause, .none: change(rate: 0, reason: "end of item", at: now)
        }
    }
}
