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
    ///   - isRunning: True if its playhead is running.
    ///   - showsPassingFailure: True if an item shows as failed after a temporary error.
    ///   - behindWindow: The behavior of an item whose media left a live playlist.
    /// - Returns: The result.
    mutating func learn(
        isRunning: Bool,
        showsPassingFailure: Bool,
        behindWindow: PlatformProfile.BehindWindow,
        _ context: inout StepContext
    ) -> Lesson {
        learnPosition()
        learnDuration(&context)
        if let lesson = leapForward(isRunning: isRunning, behindWindow, &context) { return lesson }
        learnTracks(&context)
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
        if showsPassingFailure { showFailure(&context) }
        guard isUnknown, let tracks, isBuffered || isAtEnd, duration != nil || client.isEndless else {
            return .nothing
        }
        guard tracks.hasAudio || tracks.hasVideo else {
            return .failed(PlaybackError(.media, 1, "neither sound nor picture: \(url)"))
        }
        known.status = .readyToPlay
        context.log(.itemReadyToPlay(item: id.description, duration: duration?.seconds ?? -1))
        context.notify(.itemReady(id))
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
    private mutating func learnDuration(_ context: inout StepContext) {
        guard duration == nil, let duration = client.duration else { return }
        known.duration = duration
        position = min(position, duration)
        guard status == .readyToPlay else { return }
        context.log(.itemDurationKnown(item: id.description, duration: duration.seconds))
    }

    private mutating func learnTracks(_ context: inout StepContext) {
        guard let tracks = client.tracks, tracks != self.tracks else { return }
        known.tracks = tracks
        context.log(
            .itemTracksKnown(item: id.description, hasVideo: tracks.hasVideo, hasAudio: tracks.hasAudio)
        )
    }

    /// Shows the item as failed after a temporary error.
    private mutating func showFailure(_ context: inout StepContext) {
        guard status == .readyToPlay, journal.errors.count > known.shownErrors, client.failure == nil,
            let error = journal.errors.last?.error
        else { return }
        known.shownErrors = journal.errors.count
        context.log(.itemShowsFailure(item: id.description, message: error.message))
        context.notify(.itemShowsFailure(id))
    }

    /// Fails the item permanently.
    mutating func fail(_ error: PlaybackError, _ context: inout StepContext) {
        known.status = .failed(error)
        stop(&context)
        let name = id.description
        context.log(
            .itemFailed(item: name, domain: error.domain.rawValue, code: error.code, message: error.message)
        )
        context.notify(.itemFailed(id))
        if hasBegun {
            context.log(.itemFailedToPlayToEnd(item: name, message: error.message))
            context.notify(.itemFailedToPlayToEnd(id))
        }
        close(.failure, &context)
    }

    // MARK: The playhead

    /// Moves a playhead whose media left the playlist to available media, or fails, as the platform does; nil if the
    /// media are available.
    private mutating func leapForward(
        isRunning: Bool,
        _ behindWindow: PlatformProfile.BehindWindow,
        _ context: inout StepContext
    ) -> Lesson? {
        if let landing = seek?.landing {
            guard let later = client.displacement(from: landing), later > landing else { return nil }
            // The seek took so long that its target is gone.
            seek?.landing = later
            chosenDistance = nil
            move(to: later, &context)
            return .changed
        }
        guard seek == nil, !isRunning, let landing = client.displacement(from: position), landing > position else {
            return nil
        }
        let complaint = "the playlist no longer has what was to be played next"
        if behindWindow == .fails, hasBegun {
            let error = PlaybackError(.lost, "\(complaint): \(client.playlistURL)")
            record(error, &context)
            return .failed(error)
        }
        let lost = (landing - position).seconds
        record(PlaybackError(.lost, "\(complaint): \(lost) s are left out"), &context)
        chosenDistance = nil
        leap(to: landing, &context)
        return .changed
    }

    /// Handles a jump of its playhead.
    mutating func jumped(_ context: inout StepContext) {
        context.log(.itemTimeJumped(item: id.description, position: position.seconds))
        context.notify(.itemTimeJumped(id))
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

    /// True if the variant differs from the one in the access log.
    var hasChanged: Bool { client.variantChanges != known.changes }

    /// Begins an access log entry for another variant.
    mutating func noteChange(_ context: inout StepContext) {
        known.changes = client.variantChanges
        if let left = client.leftVariant {
            // Without playback so far, the entry has no playlist yet.
            journal.update(uri: left.url, at: context.now) { entry in
                guard entry.indicatedBitrate == 0 else { return }
                (entry.uri, entry.indicatedBitrate) = left
            }
        }
        close(.variantSwitch, &context)
        let indicated = client.indicatedBitrate
        journal.update(uri: client.playlistURL, at: context.now) { $0.indicatedBitrate = indicated }
    }

    // MARK: Seeking

    /// Begins a seek; none must be in progress.
    mutating func begin(_ seek: ItemSeek, _ context: inout StepContext) {
        hasEnded = false
        self.seek = seek
        context.log(
            .seekBegan(
                item: id.description,
                target: seek.target.seconds,
                toleranceBefore: seek.before.map(\.seconds) ?? -1,
                toleranceAfter: seek.after.map(\.seconds) ?? -1
            )
        )
    }

    /// Ends the seek in progress, if any.
    mutating func endSeek(isFinished: Bool, _ context: inout StepContext) {
        guard let ended = seek else { return }
        seek = nil
        context.log(.seekEnded(item: id.description, position: position.seconds, isFinished: isFinished))
        context.notify(.seekEnded(ended.id, isFinished: isFinished))
    }

    /// Abandons the seek in progress, if any, and loads at the playhead.
    mutating func giveUpSeek(_ context: inout StepContext) {
        guard seek != nil else { return }
        endSeek(isFinished: false, &context)
        move(to: position, &context)
    }

    /// Loads at the final position of the seek in progress.
    mutating func aim(within seekable: (start: Duration, end: Duration), _ context: inout StepContext) {
        guard let landing = seek?.landing(within: seekable, bounds: client.segmentBounds) else { return }
        close(.seek, &context)
        seek?.landing = landing
        choose(landing, at: context.now)
        move(to: landing, &context)
    }

    /// Finishes the seek in progress when media are available, and returns whether it did.
    mutating func land(_ context: inout StepContext) -> Bool {
        guard let landing = seek?.landing,
            client.bufferedEnd(from: landing) > landing || isEnd(landing)
        else { return false }
        position = landing
        jumped(&context)
        endSeek(isFinished: true, &context)
        return true
    }
}
