internal import SegueBase
internal import SegueEvents
internal import SeguePlaylists

/// Plays the interstitials of the current item (RFC 8216bis, appendix D), one at a time, on the player's playhead.
struct InterstitialPlayer: Sendable {
    /// The reason for the end of an interstitial.
    enum End: String, Sendable, CaseIterable {
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

    /// The result of a step.
    enum Step {
        case nothing
        case changed
        /// The current item continues at its end, with no other interstitial due.
        case itemEnded
    }

    /// The behavior of an asset whose media left a live playlist.
    let behindWindow: PlatformProfile.BehindWindow

    private var course = InterstitialCourse()

    /// The one that is loading or playing.
    var present: InterstitialBreak?

    /// The assets that were played or due, with their logs.
    private(set) var finished: [PlayerItem] = []

    init(behindWindow: PlatformProfile.BehindWindow) { self.behindWindow = behindWindow }

    // MARK: Queries

    /// All assets, with their logs.
    var all: [PlayerItem] { finished + (present?.items ?? []) }

    /// True if the current item has stopped for an interstitial.
    var isOn: Bool { present?.isOn == true }

    /// The current asset.
    var asset: PlayerItem? { present?.items.first }

    /// The duration that may still be played; nil for all, or without an interstitial.
    var rest: Duration? { present?.rest }

    /// True if an interstitial that must not be skipped interrupts the item.
    var restrictsSkipping: Bool { isOn && present?.scheduled.interstitial.restrictsSkipping == true }

    /// Returns the next interstitial that the playhead of an item runs to.
    private func next(in item: PlayerItem) -> ScheduledInterstitial? {
        let scheduled = item.client.interstitials
        return scheduled.isEmpty ? nil : course.next(scheduled, after: item.position)
    }

    /// Returns the position of the next interstitial that the playhead of an item runs to, if it is before the end.
    func nextStart(in item: PlayerItem) -> Duration? {
        next(in: item).flatMap { $0.interstitial.cue == .date ? $0.start : nil }
    }

    /// Returns whether an interstitial is due at a position of an item.
    func isDue(in item: PlayerItem, at position: Duration, isAtEnd: Bool) -> Bool {
        let scheduled = item.client.interstitials
        return !scheduled.isEmpty && course.due(scheduled, at: position, isAtEnd: isAtEnd) != nil
    }

    /// Returns whether a seek is refused: forward, past an interstitial that must not be jumped over or skipped.
    func refusesSeek(in item: PlayerItem, to target: Duration) -> Bool {
        guard isOn, let interstitial = present?.scheduled.interstitial else { return false }
        return (interstitial.restrictsSkipping || interstitial.restrictsJumping) && target > item.position
    }

    // MARK: Due work

    /// Handles a moved playhead of an item.
    mutating func moved(in item: PlayerItem, from former: Duration) {
        let scheduled = item.client.interstitials
        if !scheduled.isEmpty { course.moved(scheduled, from: former, to: item.position) }
    }

    /// Begins, advances, or ends the interstitial that is due in a queue's current item, which is ready to play.
    mutating func follow(
        in queue: inout ItemQueue,
        playhead: inout Playhead,
        _ context: inout StepContext
    ) -> Step {
        if isOn { return advance(in: &queue, playhead: &playhead, &context) }
        let scheduled = queue.items[0].client.interstitials
        guard !scheduled.isEmpty, queue.items[0].seek == nil else { return .nothing }
        let (position, isAtEnd) = (queue.items[0].position, queue.items[0].isAtEnd)
        course.look(scheduled, of: queue.items[0].id, at: position, hasBegun: queue.items[0].hasBegun)
        if !queue.items[0].hasEnded, let due = course.due(scheduled, at: position, isAtEnd: isAtEnd) {
            begin(due, in: &queue, playhead: &playhead, &context)
            return .changed
        }
        loadAhead(in: queue)
        return .nothing
    }

    /// Begins to load the next interstitial when the item is loaded up to it (RFC 8216bis, D.1).
    private mutating func loadAhead(in queue: ItemQueue) {
        guard present == nil, let next = next(in: queue.items[0]) else { return }
        let isReached =
            next.interstitial.cue == .after
            ? queue.items[0].client.isLoadedToEnd : queue.items[0].bufferedEnd >= next.start
        if isReached { present = InterstitialBreak(next, joined: .zero, session: queue.session) }
    }

    private mutating func begin(
        _ due: ScheduledInterstitial,
        in queue: inout ItemQueue,
        playhead: inout Playhead,
        _ context: inout StepContext
    ) {
        let position = queue.items[0].position
        playhead.stop(in: &queue.items[0], at: context.now, reason: "interstitial", &context)
        let base = course.base(of: due, at: position)
        if present?.scheduled != due { giveUp(&context) }
        if present == nil {
            let isJoined = !queue.items[0].hasBegun && queue.items[0].duration == nil
            let joined = isJoined ? position - base : .zero
            present = InterstitialBreak(due, joined: joined, session: queue.session)
        }
        present?.begin(base: base, at: context.now)
        context.log(
            .interstitialBegan(item: queue.items[0].id.description, interstitial: due.id, position: position.seconds)
        )
        if case .none(let reason) = due.interstitial.assets {
            logFailure(url: due.playlistURL, reason, in: queue, &context)
            present?.fail()
        }
        if let expected = present?.expectedResumption(from: position) {
            queue.items[0].aim.resumption = queue.items[0].duration.map { min(expected, $0) } ?? expected
            queue.items[0].move(to: queue.items[0].loadingPosition, &context)
        }
    }

    /// Abandons an interstitial that was loaded ahead.
    mutating func giveUp(_ context: inout StepContext) {
        guard present?.isOn == false else { return }
        present?.stop(&context)
        finished += present?.items ?? []
        present = nil
    }

    private mutating func advance(
        in queue: inout ItemQueue,
        playhead: inout Playhead,
        _ context: inout StepContext
    ) -> Step {
        guard let current = present else { return .nothing }
        if let deadline = current.deadline, deadline <= context.now {
            let url = current.items.first?.url ?? current.scheduled.playlistURL
            let seconds = InterstitialBreak.patience.components.seconds
            logFailure(url: url, "timed out after \(seconds) s waiting for the asset", in: queue, &context)
            if current.items.isEmpty { present?.fail() } else { endAsset(&context) }
            return .changed
        }
        guard current.isOver else { return .nothing }
        let end = current.played > .zero ? End.played : current.hasFailed || current.hasTried ? .failed : .empty
        return self.end(end, in: &queue, playhead: &playhead, &context)
    }

    // MARK: The end

    /// Ends the interstitial, and continues the current item.
    mutating func end(
        _ end: End,
        in queue: inout ItemQueue,
        playhead: inout Playhead,
        _ context: inout StepContext
    ) -> Step {
        guard isOn else {
            giveUp(&context)
            return .nothing
        }
        stopAsset(end.rawValue, playhead: &playhead, &context)
        while present?.items.isEmpty == false { endAsset(&context) }
        present?.stop(&context)
        guard let ended = present, !queue.items.isEmpty else { return .nothing }
        let left = queue.items[0].position
        let goesOn = end != .seek && end != .removed
        let interstitial = ended.scheduled.interstitial
        let resumed = goesOn ? place(ended.resumption(from: left), interstitial, in: queue.items[0]) : left
        queue.items[0].aim.resumption = nil
        present = nil
        course.end(ended, among: queue.items[0].client.interstitials, resumed: resumed)
        context.log(
            .interstitialEnded(
                item: queue.items[0].id.description,
                interstitial: ended.scheduled.id,
                reason: end.rawValue,
                played: ended.played.seconds,
                position: resumed.seconds
            )
        )
        queue.items[0].position = resumed
        queue.items[0].move(to: resumed, &context)
        if resumed != left { queue.items[0].jumped(&context) }
        guard goesOn, queue.items[0].isAtEnd else { return .changed }
        let scheduled = queue.items[0].client.interstitials
        return course.due(scheduled, at: resumed, isAtEnd: true) == nil ? .itemEnded : .changed
    }

    /// Returns the position at which an item continues, snapped and within its range.
    private func place(_ position: Duration, _ interstitial: Interstitial, in item: PlayerItem) -> Duration {
        var place = position
        if interstitial.snapsIn, let border = item.client.borderToResume(at: position) { place = border }
        if let duration = item.duration { return max(item.position, min(place, duration)) }
        // Beyond the end of a live stream, the item continues where a viewer joins.
        guard let edge = item.client.segmentBounds(at: place)?.end, place > edge else { return place }
        return max(item.position, item.client.livePosition ?? edge)
    }

    /// Skips an asset that is not current.
    mutating func drop(asset index: Int, _ context: inout StepContext) {
        guard var asset = present?.items.remove(at: index) else { return }
        asset.stop(&context)
        asset.close(.removal, &context)
        finished.append(asset)
    }

    /// Ends the current asset.
    mutating func endAsset(_ context: inout StepContext) {
        guard var asset = present?.items.first else { return }
        present?.items.removeFirst()
        present?.assetEnded(after: asset.began.map { asset.position - $0 } ?? .zero, at: context.now)
        asset.stop(&context)
        asset.close(asset.isAtEnd ? .end : .removal, &context)
        finished.append(asset)
    }
}
