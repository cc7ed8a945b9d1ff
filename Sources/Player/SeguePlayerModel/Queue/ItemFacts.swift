internal import SegueBase
internal import SegueEvents

/// The facts about an item that its client has found so far.
struct ItemFacts: Sendable {
    private(set) var status = PlayerItem.Status.unknown
    private(set) var tracks: ItemTracks?
    private(set) var duration: Duration?

    /// True if the start position is known.
    private(set) var isPositionKnown: Bool

    /// True if the item starts exactly at the requested position, or the start position is known; otherwise, it
    /// starts at the start of that segment.
    private var isStartExact: Bool

    /// The number of variant changes in the access log.
    private var changes = 0

    /// The number of errors that the app has been notified of.
    private var shownErrors = 0

    init(isPositionKnown: Bool, isStartExact: Bool) {
        (self.isPositionKnown, self.isStartExact) = (isPositionKnown, isStartExact)
    }

    /// Returns the start position when it becomes known.
    mutating func learnStart(from client: any MediaClient, at position: Duration) -> Duration? {
        guard !isPositionKnown || !isStartExact, let start = client.start else { return nil }
        let known = isPositionKnown ? position : start
        defer { (isPositionKnown, isStartExact) = (true, true) }
        return isStartExact ? known : client.segmentBounds(at: known)?.start ?? known
    }

    /// Returns the duration when it becomes known or changes; a live item has one at its end.
    ///
    /// The streams that play at the end determine the duration: variants and audio groups may be a frame longer or
    /// shorter than those at the start.
    mutating func learnDuration(from client: any MediaClient, of item: ItemID, _ context: inout StepContext)
        -> Duration?
    {
        guard let found = client.duration, duration == nil || client.isLoadedToEnd && found != duration else {
            return nil
        }
        duration = found
        if status == .readyToPlay {
            context.log(.itemDurationKnown(item: item.description, duration: found.seconds))
        }
        return found
    }

    mutating func learnTracks(from client: any MediaClient, of item: ItemID, _ context: inout StepContext) {
        guard let found = client.tracks, found != tracks else { return }
        tracks = found
        context.log(
            .itemTracksKnown(item: item.description, hasVideo: found.hasVideo, hasAudio: found.hasAudio)
        )
    }

    /// Makes the item ready to play.
    mutating func becomeReady(_ item: ItemID, _ context: inout StepContext) {
        status = .readyToPlay
        context.log(.itemReadyToPlay(item: item.description, duration: duration?.seconds ?? -1))
        context.notify(.itemReady(item))
    }

    /// Fails the item permanently.
    mutating func fail(_ item: ItemID, with error: PlaybackError, _ context: inout StepContext) {
        status = .failed(error)
        let name = item.description
        let error = error.reported(as: context.settings.reporting.errorCodes)
        context.log(
            .itemFailed(item: name, domain: error.domain.rawValue, code: error.code, message: error.message)
        )
        context.notify(.itemFailed(item))
    }

    /// Shows the item as failed after a temporary error.
    mutating func showFailure(of item: ItemID, in journal: ItemJournal, _ context: inout StepContext) {
        guard status == .readyToPlay, journal.errors.count > shownErrors, let error = journal.errors.last?.reported
        else {
            return
        }
        shownErrors = journal.errors.count
        context.log(.itemShowsFailure(item: item.description, message: error.message))
        context.notify(.itemShowsFailure(item))
    }

    /// Returns whether the variant differs from the one in the access log.
    func hasChanged(in client: any MediaClient) -> Bool { client.variantChanges != changes }

    /// Records that the access log has the present variant.
    mutating func noteChange(in client: any MediaClient) { changes = client.variantChanges }
}
