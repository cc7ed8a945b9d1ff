internal import Fetch
internal import HLS
internal import Timeline

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

    /// Whether what is loaded is a part of a segment.
    var isOfPart: Bool {
        if case .part = target { true } else { false }
    }

    private var attempts = Attempts()

    /// When it is made again; nil while one is under way, and where nothing failed.
    var retryAt: Instant? { transfer == nil ? attempts.retryAt : nil }

    /// Whether one may begin.
    mutating func mayBegin(at now: Instant) -> Bool { transfer == nil && attempts.allow(at: now) }

    /// A request begins.
    mutating func begin(_ request: FetchRequest, for target: Target, at now: Instant) {
        self.target = target
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
        (transfer, target) = (nil, nil)
        return attempts.fail(reason, at: now, settings)
    }

    /// It brought nothing, and is not made again.
    mutating func giveUp() { (transfer, target) = (nil, nil) }

    /// Gives up what is under way.
    mutating func stop(_ turn: inout Turn) {
        if let transfer { turn.cancel(transfer.id) }
        (transfer, target) = (nil, nil)
    }

    /// What failed before does not count any more.
    mutating func forgive() { attempts = Attempts() }
}
