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
        let wanted = facts.isPositionKnown ? position : nil
        if let start = facts.learnStart(from: client, at: position) {
            position = start
            if let wanted, wanted != start {
                context.log(
                    .itemStartMoved(item: id.description, wanted: wanted.seconds, position: start.seconds)
                )
            }
        }
        if let end = facts.learnDuration(from: client, of: id, &context) { position = min(position, end) }
        if let lesson = leapForward(isRunning: isRunning, behindWindow, &context) { return lesson }
        facts.learnTracks(from: client, of: id, &context)
        let position = loadingPosition
        let isBuffered = client.bufferedEnd(from: position) > position
        let isAtEnd = isEnd(position)
        let isUnknown = status == .unknown
        if let error = client.failure, isUnknown || client.failsAtOnce || !isBuffered && !isAtEnd {
            return .failed(error)
        }
        if isUnknown, client.isLoadedToEnd, client.tracks == nil {
            return .failed(PlaybackError(.media, code: 1, "no segment could be loaded: \(url)"))
        }
        if showsPassingFailure, client.failure == nil { facts.showFailure(of: id, in: journal, &context) }
        guard isUnknown, let tracks, isBuffered || isAtEnd, duration != nil || client.isEndless else {
            return .nothing
        }
        guard tracks.hasAudio || tracks.hasVideo else {
            return .failed(PlaybackError(.media, code: 1, "the media contain neither audio nor video: \(url)"))
        }
        facts.becomeReady(id, &context)
        return .changed
    }

    /// Fails the item permanently.
    mutating func fail(_ error: PlaybackError, _ context: inout StepContext) {
        let error = context.isRemote ? error.ofReceiver(as: context.settings.reporting.errorCodes) : error
        stop(&context)
        facts.fail(id, with: error, &context)
        if hasBegun {
            let message = error.reported(as: context.settings.reporting.errorCodes).message
            context.log(.itemFailedToPlayToEnd(item: id.description, message: message))
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
            aim.seek?.landing = later
            aim.loseChoice()
            move(to: later, &context)
            return .changed
        }
        guard seek == nil, !isRunning, let landing = client.displacement(from: position), landing > position else {
            return nil
        }
        let complaint = "the playlist no longer contains the media at the playhead"
        if behindWindow == .fails, hasBegun {
            let error = PlaybackError(.lost, "\(complaint): \(client.playlistURL)")
            media.record(error, &context)
            return .failed(error)
        }
        let lost = (landing - position).seconds
        media.record(PlaybackError(.lost, "\(complaint): \(lost) s are skipped"), &context)
        aim.loseChoice()
        leap(to: landing, &context)
        return .changed
    }

    /// Handles a jump of its playhead.
    mutating func jumped(_ context: inout StepContext) {
        context.log(.itemTimeJumped(item: id.description, position: position.seconds))
        context.notify(.itemTimeJumped(id))
    }

    // MARK: The access log

    /// True if the variant differs from the one in the access log.
    var hasChanged: Bool { facts.hasChanged(in: client) }

    /// Begins an access log entry for another variant.
    mutating func noteChange(_ context: inout StepContext) {
        facts.noteChange(in: client)
        media.noteChange(&context)
    }

    // MARK: The live edge

    /// Records a position that was chosen explicitly, whose distance from the live edge the item keeps.
    mutating func choose(_ position: Duration, at now: Instant) {
        aim.choose(position, edge: client.liveEdge(at: now))
    }

    /// Returns the target position of a live item; nil without one.
    func wantedPosition(at now: Instant) -> Duration? {
        client.liveEdge(at: now).flatMap { aim.wantedPosition(at: $0) }
    }

    /// Jumps to a position without a seek.
    mutating func leap(to position: Duration, _ context: inout StepContext) {
        self.position = position
        move(to: position, &context)
        jumped(&context)
    }

    // MARK: Seeking

    /// Begins a seek; none must be in progress.
    mutating func begin(_ seek: ItemSeek, _ context: inout StepContext) {
        hasEnded = false
        aim.seek = seek
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
        aim.seek = nil
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
        aim.seek?.landing = landing
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
