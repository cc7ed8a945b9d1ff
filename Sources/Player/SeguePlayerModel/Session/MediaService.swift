internal import SegueBase
internal import SegueEvents

/// The media service of a platform, which handles requests to play after a delay, based on the tracks that it assumes.
struct MediaService: Sendable {
    enum Decision: Sendable, Equatable {
        /// The item may play from the instant on.
        case allow(ItemID, from: Instant)
        case ignore(ItemID, reason: String)
        case reject(ItemID, reason: String)
    }

    private struct Pending: Sendable {
        let item: ItemID
        let looksAt: Instant
        let isResume: Bool
        let outputLatency: Duration
    }

    private let profile: PlatformProfile

    /// The item that the service plays, or played last.
    private(set) var holds: ItemID?

    /// The tracks that the service assumes for its item.
    private(set) var belief: ItemTracks?

    private var pending: Pending?

    /// True if ``belief`` describes the previous item.
    private var isBeliefBorrowed = false

    init(profile: PlatformProfile) { self.profile = profile }

    /// The instant at which the service examines an item; nil if it waits for news.
    func nextChange(at now: Instant) -> Instant? { pending.flatMap { $0.looksAt > now ? $0.looksAt : nil } }

    /// True if there is a request for an item that the service has not examined.
    var isPending: Bool { pending != nil }

    mutating func request(_ request: PlayGate.Request, at now: Instant) {
        let isKnown = holds == request.item || request.isContinuation
        pending = Pending(
            item: request.item,
            looksAt: isKnown ? now : now + profile.service.latency,
            isResume: holds == request.item,
            outputLatency: isKnown ? .zero : profile.service.outputLatency
        )
    }

    /// Examines an item if one is due, and returns the decision.
    ///
    /// - Parameters:
    ///   - wanted: The item that the player waits to play. Requests for other items are void.
    ///   - played: The item that plays or is about to; nil while the player is paused.
    ///   - isVideoForbidden: True if the background rules apply to items with video.
    ///   - tracks: Returns the known tracks of an item.
    ///   - log: Receives the new assumptions of the service.
    /// - Returns: The decision; nil if none is due.
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

    /// Returns the refusal of an item with video, or an item assumed to have video, if the profile refuses it.
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
