internal import SegueBase
internal import SegueEvents
internal import SeguePlaylists

/// The interstitials of the current item (RFC 8216bis, appendix D).
extension QueuePlayer {
    /// The reason for the end of an interstitial.
    enum InterstitialEnd: String, Sendable, CaseIterable {
        case played
        /// The maximum duration was played.
        case limit
        /// None of it could be played.
        case failed
        /// There was nothing to play.
        case empty
        /// The item's playhead was moved.
        case seek
        /// The item left the queue, or failed.
        case removed
    }

    // MARK: The stage

    /// True if the current item has stopped for an interstitial.
    var isInterrupted: Bool { interstitials.isOn }

    /// The item that plays or is to play: an asset of the interstitial, or else the current item.
    var stage: PlayerItem? { isInterrupted ? interstitials.present?.items.first : queue.current }

    @discardableResult
    mutating func changeStage<Result>(
        _ body: (inout PlayerItem, inout Playhead, inout StepContext) -> Result
    ) -> Result? {
        if isInterrupted { return interstitials.changeAsset(&playhead, &context, body) }
        return queue.items.isEmpty ? nil : body(&queue.items[0], &playhead, &context)
    }

    /// Returns the speed on the stage.
    ///
    /// Media that must not be skipped play no faster than normal. A live item at normal rate plays at the speed that
    /// keeps its distance from the live edge.
    func stageRate(at rate: Double) -> Double {
        let mustNotSkip = isInterrupted && interstitials.present?.scheduled.interstitial.restrictsSkipping == true
        return mustNotSkip ? min(rate, 1) : rate == 1 ? liveSpeed.factor : rate
    }

    /// The speed on the stage at the current rate.
    var stageRate: Double { stageRate(at: rate) }

    /// The position up to which the item on the stage can play: the end of its buffer, or the start or end of an
    /// interstitial.
    var stageEnd: Duration? {
        guard let stage else { return nil }
        guard !isInterrupted else { return min(stage.bufferedEnd, interstitials.present?.rest ?? stage.bufferedEnd) }
        guard let next = nextInterstitial, next.interstitial.cue == .date else { return stage.bufferedEnd }
        return min(stage.bufferedEnd, next.start)
    }

    /// The next interstitial that the current item's playhead runs to.
    var nextInterstitial: ScheduledInterstitial? {
        guard let current = queue.current else { return nil }
        let scheduled = current.client.interstitials
        return scheduled.isEmpty ? nil : interstitials.next(scheduled, after: current.position)
    }

    /// Returns whether an interstitial is due at a position of the current item.
    func isInterstitialDue(at position: Duration, isAtEnd: Bool) -> Bool {
        guard let scheduled = queue.current?.client.interstitials, !scheduled.isEmpty else { return false }
        return interstitials.due(scheduled, at: position, isAtEnd: isAtEnd) != nil
    }

    // MARK: Due work

    /// Begins, advances, or ends the interstitial that is due, and returns whether anything changed.
    mutating func followInterstitials() -> Bool {
        guard !queue.items.isEmpty, !queue.items[0].isFailed, queue.items[0].status == .readyToPlay else {
            return false
        }
        if isInterrupted { return goOnWithInterstitial() }
        let scheduled = queue.items[0].client.interstitials
        guard !scheduled.isEmpty, queue.items[0].seek == nil else { return false }
        let (position, isAtEnd) = (queue.items[0].position, queue.items[0].isAtEnd)
        interstitials.look(scheduled, of: queue.items[0].id, at: position, hasBegun: queue.items[0].hasBegun)
        if !queue.items[0].hasEnded, let due = interstitials.due(scheduled, at: position, isAtEnd: isAtEnd) {
            begin(due, at: position)
            return true
        }
        loadAhead()
        return false
    }

    /// Begins to load the next interstitial when the item is loaded up to it (RFC 8216bis, D.1).
    private mutating func loadAhead() {
        guard interstitials.present == nil, let next = nextInterstitial else { return }
        let isReached =
            next.interstitial.cue == .after
            ? queue.items[0].client.isLoadedToEnd : queue.items[0].bufferedEnd >= next.start
        if isReached { interstitials.present = InterstitialBreak(next, joined: .zero, session: session) }
    }

    private mutating func begin(_ due: ScheduledInterstitial, at position: Duration) {
        stop("interstitial")
        let base = interstitials.base(of: due, at: position)
        if interstitials.present?.scheduled != due { giveUpInterstitial() }
        if interstitials.present == nil {
            let isJoined = !queue.items[0].hasBegun && queue.items[0].duration == nil
            let joined = isJoined ? position - base : .zero
            interstitials.present = InterstitialBreak(due, joined: joined, session: session)
        }
        interstitials.present?.begin(base: base, at: context.now)
        context.log(
            .interstitialBegan(item: queue.items[0].id.description, interstitial: due.id, position: position.seconds)
        )
        if case .none(let reason) = due.interstitial.assets {
            logInterstitialFailure(url: due.playlistURL, reason)
            interstitials.present?.fail()
        }
        if let expected = interstitials.present?.expectedResumption(from: position) {
            queue.items[0].resumption = queue.items[0].duration.map { min(expected, $0) } ?? expected
            queue.items[0].move(to: queue.items[0].loadingPosition, &context)
        }
    }

    /// Abandons an interstitial that was loaded ahead.
    mutating func giveUpInterstitial() {
        guard interstitials.present?.isOn == false else { return }
        interstitials.present?.stop(&context)
        interstitials.end([], resumed: queue.current?.position ?? .zero)
    }

    private mutating func goOnWithInterstitial() -> Bool {
        guard let present = interstitials.present else { return false }
        if let deadline = present.deadline, deadline <= context.now {
            let url = present.items.first?.url ?? present.scheduled.playlistURL
            logInterstitialFailure(url: url, "nothing came in a minute")
            if present.items.isEmpty { interstitials.present?.fail() } else { endAsset() }
            return true
        }
        guard present.isOver else { return false }
        if present.played > .zero {
            endInterstitial(.played)
        } else {
            endInterstitial(present.hasFailed || present.hasTried ? .failed : .empty)
        }
        return true
    }

    // MARK: The end

    /// Ends the interstitial, and continues the current item.
    mutating func endInterstitial(_ end: InterstitialEnd) {
        guard isInterrupted else { return giveUpInterstitial() }
        stop(end.rawValue)
        while interstitials.present?.items.isEmpty == false { endAsset() }
        interstitials.present?.stop(&context)
        guard let present = interstitials.present, !queue.items.isEmpty else { return }
        let left = queue.items[0].position
        let goesOn = end != .seek && end != .removed
        let resumed = goesOn ? place(present.resumption(from: left), present.scheduled.interstitial) : left
        queue.items[0].resumption = nil
        interstitials.end(queue.items[0].client.interstitials, resumed: resumed)
        context.log(
            .interstitialEnded(
                item: queue.items[0].id.description,
                interstitial: present.scheduled.id,
                reason: end.rawValue,
                played: present.played.seconds,
                position: resumed.seconds
            )
        )
        queue.items[0].position = resumed
        queue.items[0].move(to: resumed, &context)
        if resumed != left { queue.items[0].jumped(&context) }
        guard goesOn, queue.items[0].isAtEnd else { return }
        let scheduled = queue.items[0].client.interstitials
        if interstitials.due(scheduled, at: resumed, isAtEnd: true) == nil { playedToEnd() }
    }

    /// Returns the position at which an item continues, snapped and within its range.
    private func place(_ position: Duration, _ interstitial: Interstitial) -> Duration {
        let client = queue.items[0].client
        var place = position
        if interstitial.snapsIn, let border = client.borderToResume(at: position) { place = border }
        if let duration = queue.items[0].duration { return max(queue.items[0].position, min(place, duration)) }
        // Beyond the end of a live stream, the item continues where a viewer joins.
        guard let edge = client.segmentBounds(at: place)?.end, place > edge else { return place }
        return max(queue.items[0].position, client.livePosition ?? edge)
    }

    // MARK: Seeking

    /// Returns whether a seek is refused: forward, past an interstitial that must not be jumped over or skipped.
    func mayNotSeek(to target: Duration) -> Bool {
        guard isInterrupted, let interstitial = interstitials.present?.scheduled.interstitial,
            let position = queue.current?.position
        else { return false }
        return (interstitial.restrictsSkipping || interstitial.restrictsJumping) && target > position
    }
}
