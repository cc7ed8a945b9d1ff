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

    /// The items of a player that matter to the service.
    struct Items: Sendable {
        /// The current item; nil if the queue is empty.
        var current: ItemID?
        /// The item that the player waits to play; requests for other items are void.
        var wanted: ItemID?
        /// The item that plays or is about to; nil while the player is paused.
        var played: ItemID?
    }

    private struct Pending: Sendable {
        let item: ItemID
        let judgedAt: Instant
        let isResume: Bool
        /// True if the player could load the item while the previous one was current.
        let wasQueued: Bool
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

    /// The instant at which the item that the service holds was removed; nil while it is the current one.
    private var removedAt: Instant?

    /// The instant at which an item with video that plays in the background is paused again; nil without one.
    private var stop: (item: ItemID, at: Instant)?

    /// The source of results that nobody can predict.
    private var random: SeededRandom

    init(profile: PlatformProfile, seed: UInt64 = 1) {
        self.profile = profile
        random = SeededRandom(seed: seed)
    }

    /// The instant at which the service judges or stops an item; nil if it waits for news.
    func nextChange(at now: Instant) -> Instant? {
        [pending?.judgedAt, stop?.at].compactMap { $0 }.filter { $0 > now }.min()
    }

    /// True if there is a request for an item that the service has not judged.
    var isPending: Bool { pending != nil }

    mutating func request(_ request: PlayGate.Request, at now: Instant) {
        let isKnown = holds == request.item || request.arrival == .followed
        pending = Pending(
            item: request.item,
            judgedAt: isKnown ? now : now + profile.service.judgesAfter,
            isResume: holds == request.item,
            wasQueued: request.arrival != .inserted,
            outputLatency: isKnown ? .zero : profile.service.outputLatency
        )
    }

    /// Judges an item if one is due, and returns the decision.
    ///
    /// - Parameters:
    ///   - isVideoForbidden: True if the background rules apply to items with video.
    ///   - isRemote: True if the last call to play followed a command from outside of the app.
    ///   - tracks: Returns the known tracks of an item.
    ///   - log: Receives the new assumptions of the service.
    /// - Returns: The decision; nil if none is due.
    mutating func settle(
        _ items: Items,
        at now: Instant,
        isVideoForbidden: Bool,
        isRemote: Bool = false,
        tracks: (ItemID) -> ItemTracks?,
        log: (EventKind) -> Void
    ) -> Decision? {
        if let holds, holds != items.current { removedAt = removedAt ?? now } else { removedAt = nil }
        if let holds, isBeliefBorrowed, let known = tracks(holds) {
            isBeliefBorrowed = false
            believe(known, of: holds, log: log)
            // A paused item does not start.
            if isVideoForbidden, known.hasVideo, items.played == holds {
                return verdict(on: holds, .started, at: now)
            }
        }
        let stopping = stopVideo(at: now, played: items.played, isVideoForbidden: isVideoForbidden)
        if let stopping { return stopping }
        guard let pending else { return nil }
        guard pending.item == items.wanted else {
            self.pending = nil
            return nil
        }
        guard pending.judgedAt <= now else { return nil }
        let known = tracks(pending.item)
        let borrowed = lingering(for: pending, isKnown: known != nil, at: now)
        if known == nil, borrowed == nil, profile.service.unknownTracks == .wait || isVideoForbidden { return nil }
        self.pending = nil
        if let tracks = borrowed ?? known { believe(tracks, of: pending.item, log: log) }
        var decision = Decision.allow(pending.item, from: now + pending.outputLatency)
        if isVideoForbidden, belief?.hasVideo ?? false {
            let refusal = verdict(
                on: pending.item,
                pending.isResume ? (isRemote ? .resumedByRemote : .resumed) : .started,
                borrowed: borrowed == nil ? nil : known == nil ? .tracksUnknown : .itemCancelled,
                at: now
            )
            if let refusal { decision = refusal }
        }
        if case .allow = decision {
            holds = pending.item
            isBeliefBorrowed = borrowed != nil || known == nil
        }
        return decision
    }

    /// Returns the tracks of the removed item if the service judges an item by them.
    private func lingering(for pending: Pending, isKnown: Bool, at now: Instant) -> ItemTracks? {
        guard profile.service.unknownTracks == .believeFormer, !pending.isResume, let removedAt,
            now < removedAt + profile.service.lingers, !(isKnown && pending.wasQueued)
        else { return nil }
        return belief
    }

    /// The reason for which an item is judged by the tracks of another one.
    private enum Borrowing { case tracksUnknown, itemCancelled }

    /// The way in which an item came to play.
    private enum Origin { case started, resumed, resumedByRemote }

    private mutating func believe(_ tracks: ItemTracks, of item: ItemID, log: (EventKind) -> Void) {
        belief = tracks
        log(.platformBelief(item: item.description, hasVideo: tracks.hasVideo))
    }

    /// Returns the refusal of an item with video, or an item assumed to have video, if the profile refuses it.
    private mutating func verdict(on item: ItemID, _ origin: Origin, borrowed: Borrowing? = nil, at now: Instant)
        -> Decision?
    {
        let why =
            switch borrowed {
            case .tracksUnknown:
                "its tracks are not known yet, and the item before it had video, which may not play in the background"
            case .itemCancelled:
                "the item before it was just cancelled, and had video, which may not play in the background"
            case nil: "it has video, which may not \(origin == .started ? "start" : "be resumed") in the background"
            }
        let background = profile.background
        let verdict =
            switch origin {
            case .started: background.startingVideo
            case .resumed: choice(of: background.resumingVideo.byApp)
            case .resumedByRemote: choice(of: background.resumingVideo.byRemote)
            }
        switch verdict {
        case .allowed: return nil
        case .ignored: return .ignore(item, reason: why)
        case .rejected: return .reject(item, reason: why)
        case .stops:
            stop = (item, now + background.resumingVideo.stopsAfter)
            return nil
        }
    }

    /// Returns the only verdict, or one that the seed chooses.
    private mutating func choice(of verdicts: [PlatformProfile.Verdict]) -> PlatformProfile.Verdict {
        verdicts.count == 1 ? verdicts[0] : verdicts.randomElement(using: &random) ?? .allowed
    }

    /// Pauses an item with video that may play in the background for a moment only.
    private mutating func stopVideo(at now: Instant, played: ItemID?, isVideoForbidden: Bool) -> Decision? {
        guard let stop else { return nil }
        guard isVideoForbidden, played == stop.item else {
            self.stop = nil
            return nil
        }
        guard stop.at <= now else { return nil }
        self.stop = nil
        return .ignore(stop.item, reason: "it has video, which stops in the background after a moment")
    }
}
