internal import SegueBase
internal import SegueFetch
internal import SeguePlaylists

/// The request of a stream for media: what is asked for, what has come of it, and when it is made again.
struct SegmentRequest: Sendable {
    /// What is being loaded.
    enum Target: Sendable {
        case map(MapAddress, key: SegmentKey?)
        case segment(Int)
        /// A part, as it was named when it was asked for.
        case part(SegmentTimeline.Slot)
    }

    /// What has come; nil while nothing is under way.
    private(set) var transfer: Transfer? {
        didSet { transferID = transfer?.id }
    }

    /// The transfer's number, which is asked for with every part of an answer: kept beside it, so that no transfer has to
    /// be copied for that.
    private(set) var transferID: FetchID?

    private(set) var target: Target?

    /// Whether nothing more of the answer is read, until ``setRead(_:_:)`` has it read.
    private var isUnread = false

    /// Whether what is loaded is a part of a segment.
    var isOfPart: Bool {
        if case .part = target { true } else { false }
    }

    /// When the request for a segment was made, and how many bytes have come since; nil where none is under way.
    var segmentBegan: (at: Instant, bytes: Int)? {
        guard case .segment = target, let transfer else { return nil }
        return (transfer.began, transfer.bytes.count)
    }

    private var attempts = Attempts()

    /// What came of the segment before it broke off, and how long the whole of it is; nil for nothing.
    private var kept: (number: Int, bytes: FetchBytes, size: Int64)?

    /// When it is made again; nil while one is under way, and where nothing failed.
    var retryAt: Instant? { transfer == nil ? attempts.retryAt : nil }

    /// Whether one may begin.
    mutating func mayBegin(at now: Instant) -> Bool { transfer == nil && attempts.allow(at: now) }

    /// A request begins.
    mutating func begin(_ request: FetchRequest, for target: Target, at now: Instant) {
        self.target = target
        isUnread = false
        if case .segment(let number) = target, number == kept?.number {} else { kept = nil }
        transfer = Transfer(request, began: now)
    }

    /// Takes in the head of an answer.
    mutating func receive(_ response: FetchResponse, at now: Instant) { transfer?.receive(response, at: now) }

    /// Takes in a part of a body.
    ///
    /// - Returns: Why it gets on too slowly; nil when it does not.
    mutating func receive(_ bytes: FetchBytes, at now: Instant) -> LoadFailure? {
        transfer?.receive(bytes)
        return transfer?.look(at: now)
    }

    /// Has the answer read, or nothing more of it.
    mutating func setRead(_ isRead: Bool, _ turn: inout Turn) {
        guard let id = transferID, isUnread == isRead else { return }
        isUnread = !isRead
        if isRead { turn.read(id) } else { turn.stopReading(id) }
    }

    /// Goes on with a request that another one has made, and that is not read yet.
    mutating func take(over other: inout SegmentRequest) {
        (transfer, target, isUnread) = (other.transfer, other.target, true)
        other = SegmentRequest()
    }

    /// What came is taken.
    mutating func finish() -> (transfer: Transfer, target: Target)? {
        guard let transfer, let target else { return nil }
        self = SegmentRequest()
        return (transfer, target)
    }

    /// It brought nothing.
    ///
    /// - Returns: Whether it will be made again.
    mutating func fail(_ reason: LoadFailure, at now: Instant, _ settings: PlatformProfile.Loading) -> Bool {
        keep(after: reason, settings)
        (transfer, target) = (nil, nil)
        return attempts.fail(reason, at: now, settings)
    }

    /// It brought nothing, and is not made again.
    mutating func giveUp() { (transfer, target) = (nil, nil) }

    /// Gives up what is under way.
    mutating func stop(_ turn: inout Turn) {
        if let transfer { turn.cancel(transfer.id) }
        (transfer, target, kept) = (nil, nil, nil)
    }

    /// What failed before does not count any more.
    mutating func forgive() { (attempts, kept) = (Attempts(), nil) }

    // MARK: What broke off

    /// What has come of a segment in this request, and how many bytes the whole of it has; nil where that is not known.
    var progress: (bytes: FetchBytes, size: Int64)? {
        guard let transfer, transfer.response?.status == (transfer.range == nil ? 200 : 206) else { return nil }
        let size = transfer.range?.length ?? transfer.announcedLength.map(Int64.init)
        return size.map { (transfer.bytes, kept?.size ?? $0) }
    }

    /// How many bytes came before this request.
    var keptBytes: Int { kept?.bytes.count ?? 0 }

    /// Keeps what came of a segment whose connection broke, where the platform asks for the rest.
    private mutating func keep(after reason: LoadFailure, _ settings: PlatformProfile.Loading) {
        guard settings.failing.retryFrom == .received, [.lost, .truncated, .timedOut].contains(reason.kind) else {
            return
        }
        keep()
    }

    /// Gives up the request for a segment and keeps what has come of it; the rest is asked for next.
    mutating func breakOff(_ turn: inout Turn) {
        guard let transfer else { return }
        keep()
        turn.cancel(transfer.id)
        (self.transfer, target) = (nil, nil)
    }

    private mutating func keep() {
        guard case .segment(let number) = target, let (bytes, size) = progress, !bytes.isEmpty else { return }
        var all = kept?.bytes ?? FetchBytes()
        all.append(bytes)
        kept = Int64(all.count) < size ? (number, all, size) : nil
    }

    /// What is still to come of a segment that broke off; nil for the whole.
    func rest(of slot: SegmentTimeline.Slot, number: Int) -> FetchRange? {
        guard let kept, kept.number == number, kept.size > Int64(kept.bytes.count) else { return nil }
        let come = Int64(kept.bytes.count)
        return FetchRange(offset: (slot.range?.offset ?? 0) + come, length: kept.size - come)
    }

    /// The whole of which this request brought the rest.
    func whole(_ bytes: FetchBytes) -> FetchBytes {
        guard var all = kept?.bytes else { return bytes }
        all.append(bytes)
        return all
    }
}
