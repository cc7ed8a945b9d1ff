internal import SegueBase
internal import SegueEvents

/// Updates of an item from its client.
extension PlayerItem {
    /// The result of an update.
    enum Lesson {
        /// Nothing relevant to other parts changed.
        case nothing
        case changed
        case failed(PlaybackError)
    }

    /// Updates the item from its client.
    ///
    /// - Parameters:
    ///   - isRunning: Whether its playhead is running.
    ///   - showsPassingFailure: Whether an item shows as failed after a temporary error.
    ///   - behindWindow: The behavior of an item whose media left a live playlist.
    ///   - turn: The step context.
    /// - Returns: The result.
    mutating func learn(
        isRunning: Bool,
        showsPassingFailure: Bool,
        behindWindow: PlatformProfile.BehindWindow,
        _ turn: inout Turn
    ) -> Lesson {
        learnPosition()
        learnDuration(&turn)
        if let lesson = leapForward(isRunning: isRunning, behindWindow, &turn) { return lesson }
        learnTracks(&turn)
        let position = loadingPosition
        let isBuffered = client.bufferedEnd(from: position) > position
        let isAtEnd = isEnd(position)
        let isUnknown = status == .unknown
        if let error = client.failure, isUnknown || client.failsAtOnce || !isBuffered && !isAtEnd {
            return .failed(error)
        }
        if isUnknown, client.isLoadedToEnd, client.tracks == nil {
            return .failed(PlaybackError(.media, 1, "none of the segments is there: \(url)"))
        }
        if showsPassingFailure { showFailure(&turn) }
        guard isUnknown, let tracks, isBuffered || isAtEnd, duration != nil || client.isEndless else {
            return .nothing
        }
        guard tracks.hasAudio || tracks.hasVideo else {
            return .failed(PlaybackError(.media, 1, "neither sound nor picture: \(url)"))
        }
        known.status = .readyToPlay
        turn.log(.itemReadyToPlay(item: id.description, duration: duration?.seconds ?? -1))
        turn.notify(.itemReady(id))
        return .changed
    }

    /// Sets the start position when it becomes known.
    private mutating func learnPosition() {
        guard !known.isPositionKnown || !known.isStartExact, let start = client.start else { return }
        if !known.isPositionKnown {
            known.isPositionKnown = true
            position = start
        }
        if !known.isStartExact {
            known.isStartExact = true
            position = client.segmentBounds(at: position)?.start ?? position
        }
    }

    /// Sets the duration when it becomes known; a live item has one at its end.
    private mutating func learnDuration(_ turn: inout Turn) {
        guard duration == nil, let duration = client.duration else { return }
        known.duration = duration
        position = min(position, duration)
        guard status == .readyToPlay else { return }
        turn.log(.itemDurationKnown(item: id.description, duration: duration.seconds))
    }

    private mutating func learnTracks(_ turn: inout Turn) {
        guard let tracks = client.tracks, tracks != self.tracks else { return }
        known.tracks = tracks
        turn.log(
            .itemTracksKnown(item: id.description, hasVideo: tracks.hasVideo, hasAudio: tracks.hasAudio)
        )
    }

    /// Shows the item as failed after a temporary error.
    private mutating func showFailure(_ turn: inout Turn) {
        guard status == .readyToPlay, journal.errors.count > known.shownErrors, client.failure == nil,
            let error = journal.errors.last?.error
        else { return }
        known.shownErrors = journal.errors.count
        turn.log(.itemShowsFailure(item: id.description, message: error.message))
        turn.notify(.itemShowsFailure(id))
    }

    /// Fails the item permanently.
    mutating func fail(_ error: PlaybackError, _ turn: inout Turn) {
        known.status = .failed(error)
        stop(&turn)
        let name = id.description
        turn.log(
            .itemFailed(item: name, domain: error.domain.rawValue, code: error.code, message: error.message)
        )
        turn.notify(.itemFailed(id))
        if hasBegun {
            turn.log(.itemFailedToPlayToEnd(item: name, message: error.message))
            turn.notify(.itemFailedToPlayToEnd(id))
        }
        close(.failure, &turn)
    }

    // MARK: The playhead

    /// Moves a playhead whose media left the playlist to available media, or fails, as the platform does; nil if the
    /// media are available.
    private mutating func leapForward(
        isRunning: Bool,
        _ behindWindow: PlatformProfile.BehindWindow,
        _ turn: inout Turn
    ) -> Lesson? {
        if let landing = seek?.landing {
            guard let later = client.displacement(from: landing), later > landing else { return nil }
            // The seek took so long that its target is gone.
            seek?.landing = later
            chosenDistance = nil
            move(to: later, &turn)
            return .changed
        }
        guard seek == nil, !isRunning, let landing = client.displacement(from: position), landing > position else {
            return nil
        }
        let complaint = "the playlist no longer has what was to be played next"
        if behindWindow == .fails, hasBegun {
            let error = PlaybackError(.lost, "\(complaint): \(client.playlistURL)")
            record(error, &turn)
            return .failed(error)
        }
        let lost = (landing - position).seconds
        record(PlaybackError(.lost, "\(complaint): \(lost) s are left out"), &turn)
        chosenDistance = nil
        leap(to: landing, &turn)
        return .changed
    }

    /// Handles a jump of its playhead.
    mutating func jumped(_ turn: inout Turn) {
        turn.log(.itemTimeJumped(item: id.description, position: position.seconds))
        turn.notify(.itemTimeJumped(id))
    }

    // MARK: The access log

    /// Handles the start of its playhead, with the time since the play command.
    mutating func notePlaying(startup: Duration?, at now: Instant) {
        let indicated = client.indicatedBitrate
        let url = client.playlistURL
        let isFirst = journal.access.allSatisfy { $0.startupTime == nil }
        journal.update(uri: url, at: now) { entry in
            entry.indicatedBitrate = indicated
            entry.uri = url
            if isFirst { entry.startupTime = startup }
        }
    }

    /// Counts media that were played.
    mutating func noteWatched(_ length: Duration, at now: Instant) {
        journal.update(uri: client.playlistURL, at: now) { $0.watched += max(.zero, length) }
    }

    /// Whether the variant differs from the one in the access log.
    var hasChanged: Bool { client.variantChanges != known.changes }

    /// Begins an access log entry for another variant.
    mutating func noteChange(_ turn: inout Turn) {
        known.changes = client.variantChanges
        if let left = client.leftVariant {
            // Without playback so far, the entry has no playlist yet.
            journal.update(uri: left.url, at: turn.now) { entry in
                guard entry.indicatedBitrate == 0 else { return }
                (entry.uri, entry.indicatedBitrate) = left
            }
        }
        close(.variantSwitch, &turn)
        let indicated = client.indicatedBitrate
        journal.update(uri: client.playlistURL, at: turn.now) { $0.indicatedBitrate = indicated }
    }

    // MARK: Seeking

    /// Begins a seek; none must be in progress.
    mutating func begin(_ seek: ItemSeek, _ turn: inout Turn) {
        hasEnded = false
        self.seek = seek
        turn.log(
            .seekBegan(
                item: id.description,
                target: seek.target.seconds,
                toleranceBefore: seek.before.map(\.seconds) ?? -1,
                toleranceAfter: seek.after.map(\.seconds) ?? -1
            )
        )
    }

    /// Ends the seek in progress, if any.
    mutating func endSeek(isFinished: Bool, _ turn: inout Turn) {
        guard let ended = seek else { return }
        seek = nil
        turn.log(.seekEnded(item: id.description, position: position.seconds, isFinished: isFinished))
        turn.notify(.seekEnded(ended.id, isFinished: isFinished))
    }

    /// Abandons the seek in progress, if any, and loads at the playhead.
    mutating func giveUpSeek(_ turn: inout Turn) {
        guard seek != nil else { return }
        endSeek(isFinished: false, &turn)
        move(to: position, &turn)
    }

    /// Loads at the final position of the seek in progress.
    mutating func aim(within seekable: (start: Duration, end: Duration), _ turn: inout Turn) {
        guard let landing = seek?.landing(within: seekable, bounds: client.segmentBounds) else { return }
        close(.seek, &turn)
        seek?.landing = landing
        choose(landing, at: turn.now)
        move(to: landing, &turn)
    }

    /// Finishes the seek in progress when media are available, and returns whether it did.
    mutating func land(_ turn: inout Turn) -> Bool {
        guard let landing = seek?.landing,
            client.bufferedEnd(from: landing) > landing || isEnd(landing)
        else { return false }
        position = landing
        jumped(&turn)
        endSeek(isFinished: true, &turn)
        return true
    }
}
