internal import SegueBase
internal import SegueFetch
internal import SeguePlaylists

/// Loads the part, or the initialization section, that a playlist says will come next, before the playlist names it
/// (RFC 8216bis, 6.3.8).
///
/// The answer waits for what is to come. When the playlist names it the bytes are its own; when it names another one they
/// are let go of.
struct HintLoad: Sendable {
    /// After how many hints in a row that did not come true no more are heeded.
    private static let mostBroken = 2

    /// The hint that is followed; nil for none.
    private(set) var hint: PartTimeline.Hint?

    /// The request under way.
    private(set) var transfer: Transfer? {
        didSet { transferID = transfer?.id }
    }

    /// The request's number, which is asked for with every part of an answer.
    private(set) var transferID: FetchID?

    /// What came whole, with how long it took once it was there.
    private(set) var arrival: (transfer: Transfer, bytes: FetchBytes, took: Duration)?

    /// What was hinted at last that did not come true.
    private(set) var lastBroken: PartTimeline.Hint?

    private var answeredAt: Instant?
    private var deadline: Instant?
    private var isNamed = false
    private var broken = 0

    /// Whether hints are worth following.
    var isTrusted: Bool { broken < HintLoad.mostBroken }

    /// When the request is given up; nil where none is under way.
    var nextChange: Instant? { transfer == nil ? nil : deadline }

    /// Whether a part is the one that was hinted at.
    func isMeant(_ slot: SegmentTimeline.Slot) -> Bool {
        guard let hint, slot.isPart else { return false }
        return hint.url == slot.url && (hint.range == nil || hint.range == slot.range)
    }

    /// Whether an initialization section is the one that was hinted at, byte for byte.
    func isMeant(_ address: MapAddress) -> Bool { hint?.address == address }

    /// Begins to follow a hint, for so long at the most.
    mutating func begin(_ hint: PartTimeline.Hint, _ request: FetchRequest, at now: Instant, within limit: Duration) {
        (self.hint, arrival, answeredAt, isNamed) = (hint, nil, nil, false)
        transfer = Transfer(request, began: now)
        deadline = now + limit
    }

    /// The playlist has named the part, so that the answer is not kept waiting any more.
    mutating func named(at now: Instant, within limit: Duration) {
        guard !isNamed else { return }
        isNamed = true
        if answeredAt == nil { deadline = deadline.map { min($0, now + limit) } }
    }

    /// Takes in news of the request.
    ///
    /// - Returns: Why it brought nothing; nil where that is open, or it brought the part.
    mutating func receive(_ event: FetchEvent, at now: Instant) -> LoadFailure? {
        switch event {
        case .response(_, let response):
            if isNamed, let transfer { deadline = now + transfer.patience }
            answeredAt = now
            transfer?.receive(response, at: now)
        case .data(_, let bytes):
            transfer?.receive(bytes)
            return transfer?.look(at: now)
        case .failed(_, let error): return LoadFailure(error)
        case .finished:
            guard let transfer else { return nil }
            switch transfer.result(isLive: true) {
            case .success(let bytes):
                arrival = (transfer, bytes, max(now - (answeredAt ?? transfer.began), .milliseconds(1)))
                self.transfer = nil
            case .failure(let failure): return failure
            }
        }
        return nil
    }

    /// Whether the request has taken too long.
    func isOverdue(at now: Instant) -> Bool { nextChange.map { $0 <= now } ?? false }

    /// What came is taken for the part that it was to be.
    mutating func take() -> (transfer: Transfer, bytes: FetchBytes, took: Duration)? {
        guard let arrival else { return nil }
        (self.arrival, hint, broken) = (nil, nil, 0)
        return arrival
    }

    /// The hint did not come true.
    mutating func fail(_ turn: inout Turn) {
        lastBroken = hint
        stop(&turn)
        broken += 1
    }

    /// Lets go of what was hinted at.
    mutating func stop(_ turn: inout Turn) {
        if let transfer { turn.cancel(transfer.id) }
        (transfer, arrival, hint, deadline) = (nil, nil, nil, nil)
    }
}
