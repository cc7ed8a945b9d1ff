internal import SegueBase
internal import SegueEvents

/// The platform's media service: it carries out requests to play after a while, going by what it believes of items.
struct MediaService: Sendable {
    /// What it says to a request.
    enum Decision: Sendable, Equatable {
        /// The item may be played from then on.
        case allow(ItemID, from: Instant)
        /// The item stays paused.
        case ignore(ItemID, reason: String)
        /// The item fails.
        case reject(ItemID, reason: String)
    }

    private struct Pending: Sendable {
        let item: ItemID
        let looksAt: Instant
        let isResume: Bool
        let outputLatency: Duration
    }

    private let profile: PlatformProfile

    /// The item that it plays, or played last.
    private(set) var holds: ItemID?

    /// What it believes that the item has; nil before the first one.
    private(set) var belief: ItemTracks?

    private var pending: Pending?

    /// Whether ``belief`` is still the former item's.
    private var isBeliefBorrowed = false

    init(profile: PlatformProfile) { self.profile = profile }

    /// When it looks at an item next; nil when it waits for nothing but news.
    func nextChange(at now: Instant) -> Instant? { pending.flatMap { $0.looksAt > now ? $0.looksAt : nil } }

    /// Whether it has been asked to play an item and has not looked at it yet.
    var isPending: Bool { pending != nil }

    /// Takes in a request to play an item.
    mutating func request(_ request: PlayGate.Request, at now: Instant) {
        let isKnown = holds == request.item || request.isContinuation
        pending = Pending(
            item: request.item,
            looksAt: isKnown ? now : now + profile.service.latency,
            isResume: holds == request.item,
            outputLatency: isKnown ? .zero : profile.service.outputLatency
        )
    }

    /// Looks at what there is to look at.
    ///
    /// - Parameters:
    ///   - now: The present time.
    ///   - wanted: The item that the player waits to play; a request for another one is void.
    ///   - played: The item that plays, or is to; nil while the player is paused.
    ///   - isVideoForbidden: Whether items with video may not be played at present.
    ///   - tracks: What is known of an item.
    ///   - log: Takes what it comes to believe.
    /// - Returns: What it says; nil when there is nothing to say.
    mutating func settle(
        at now: Instant,
        wanted: ItemID?,
        played: ItemID?,
        isVideoForbidden: Bool,
        tracks: (ItemID) -> ItemTracks?,
        log: (EventKind) -> Void
    ) -> Decision? {
        if let holds, isBeliefBorrowed, let known = tracks(holds) {
            isBeliefBorrowed = false
            believe(known, of: holds, log: log)
            // A paused item does not start.
            if isVideoForbidden, known.hasVideo, played == holds { return verdict(on: holds, isResume: false) }
        }
        guard let pending else { return nil }
        guard pending.item == wanted else {
            self.pending = nil
            return nil
        }
        guard pending.looksAt <= now else { return nil }
        let known = tracks(pending.item)
        if known == nil, profile.service.unknownTracks == .wait { return nil }
        self.pending = nil
        if let tracks = known ?? belief { believe(tracks, of: pending.item, log: log) }
        var decision = Decision.allow(pending.item, from: now + pending.outputLatency)
        if isVideoForbidden, belief?.hasVideo ?? false {
            let refusal = verdict(on: pending.item, isResume: pending.isResume, isBorrowed: known == nil)
            if let refusal { decision = refusal }
        }
        if case .allow = decision {
            holds = pending.item
            isBeliefBorrowed = known == nil
        }
        return decision
    }

    private mutating func believe(_ tracks: ItemTracks, of item: ItemID, log: (EventKind) -> Void) {
        belief = tracks
        log(.platformBelief(item: item.description, hasVideo: tracks.hasVideo))
    }

    /// How the profile refuses an item that is, or is believed to be, one with video; nil when it does not.
    private func verdict(on item: ItemID, isResume: Bool, isBorrowed: Bool = false) -> Decision? {
        let why =
            isBorrowed
            ? "its tracks are not known yet, and the item before it had video, which may not play in the background"
            : "it has video, which may not \(isResume ? "be resumed" : "start") in the background"
        switch isResume ? profile.background.resumingVideo : profile.background.startingVideo {
        case .allowed: return nil
        case .ignored: return .ignore(item, reason: why)
        case .rejected: return .reject(item, reason: why)
        }
    }
}
