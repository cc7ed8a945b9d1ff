internal import SegueBase
internal import SegueFetch
internal import SeguePlaylists

/// Loads a part, or an initialization section, that a playlist hints at, before the playlist contains it (RFC 8216bis,
/// 6.3.8).
///
/// The server delays the response until the resource exists. If the playlist then contains another resource, the data
/// are discarded.
struct HintLoad: Sendable {
    /// The number of consecutive wrong hints after which hints are ignored.
    private static let mostBroken = 2

    /// The hint that is loading, if any.
    private(set) var hint: PartTimeline.Hint?

    /// The open request.
    private(set) var transfer: Transfer? {
        didSet { transferID = transfer?.id }
    }

    /// The ID of the open request, which is checked for each piece of data.
    private(set) var transferID: FetchID?

    /// The complete data, with the loading time from the start of the response.
    private(set) var arrival: ReceivedMedia?

    /// The last wrong hint.
    private(set) var lastBroken: PartTimeline.Hint?

    private var answeredAt: Instant?
    private var deadline: Instant?
    private var isNamed = false
    private var broken = 0

    /// True if hints are followed.
    var isTrusted: Bool { broken < HintLoad.mostBroken }

    /// The instant at which the request times out, if it is open.
    var nextChange: Instant? { transfer == nil ? nil : deadline }

    /// Returns whether a part is the hinted one.
    func isMeant(_ slot: SegmentTimeline.Slot) -> Bool {
        guard let hint, slot.isPart else { return false }
        return hint.url == slot.url && (hint.range == nil || hint.range == slot.range)
    }

    /// Returns whether an initialization section is the hinted one, including its range.
    func isMeant(_ address: MapAddress) -> Bool { hint?.address == address }

    /// Begins to load a hint, with a time limit.
    mutating func begin(_ hint: PartTimeline.Hint, _ request: FetchRequest, at now: Instant, within limit: Duration) {
        (self.hint, arrival, answeredAt, isNamed) = (hint, nil, nil, false)
        transfer = Transfer(request, began: now)
        deadline = now + limit
    }

    /// Returns whether the request for a resource that the playlist now contains is open.
    ///
    /// From then on, the response has no reason to wait.
    mutating func awaits(within limit: Duration, at now: Instant) -> Bool {
        guard transfer != nil else { return false }
        if !isNamed, answeredAt == nil { deadline = deadline.map { min($0, now + limit) } }
        isNamed = true
        return true
    }

    /// Handles news of the request, and records a failure.
    mutating func receive(_ event: FetchEvent, of playlist: String, _ context: inout StepContext) {
        if let failure = accept(event, of: playlist, at: context.now) { fail(failure.error, of: playlist, &context) }
    }

    /// Handles news of the request, and returns a failure, if any.
    private mutating func accept(_ event: FetchEvent, of playlist: String, at now: Instant) -> LoadFailure? {
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
                let took = max(now - (answeredAt ?? transfer.began), .milliseconds(1))
                arrival = ReceivedMedia(transfer: transfer, bytes: bytes, playlist: playlist, took: took)
                self.transfer = nil
            case .failure(let failure): return failure
            }
        }
        return nil
    }

    /// Cancels a request that has timed out.
    mutating func giveUpLate(of playlist: String, _ context: inout StepContext) {
        guard let nextChange, nextChange <= context.now else { return }
        let url = hint?.url ?? playlist
        let message = "timed out waiting for the hinted resource: \(url)"
        fail(PlaybackError(.network, code: -1001, message), of: playlist, &context)
    }

    /// Cancels the request if the playlist has another hint or none, and returns the hint to request, if any.
    mutating func change(to wanted: PartTimeline.Hint?, _ context: inout StepContext) -> PartTimeline.Hint? {
        guard wanted != hint else { return nil }
        stop(&context)
        return wanted
    }

    /// Returns the data for a resource that the playlist contains, if they have arrived and can be opened.
    ///
    /// If the resource is not the hinted one, the hint was wrong.
    mutating func consume(
        _ resource: String,
        isMeant: Bool,
        isReady: Bool,
        of playlist: String,
        _ context: inout StepContext
    ) -> ReceivedMedia? {
        guard isMeant else {
            let error = PlaybackError(.changed, "the \(resource) is not the hinted one: \(playlist)")
            fail(error, of: playlist, &context)
            return nil
        }
        guard isReady, let arrival else { return nil }
        (self.arrival, hint, broken) = (nil, nil, 0)
        return arrival
    }

    /// Records a failed or wrong hint.
    ///
    /// The resource is requested by its address when the playlist contains it.
    mutating func fail(_ error: PlaybackError, of playlist: String, _ context: inout StepContext) {
        context.record(error, uri: hint?.url ?? playlist)
        lastBroken = hint
        stop(&context)
        broken += 1
    }

    /// Cancels the request, and discards the data.
    mutating func stop(_ context: inout StepContext) {
        if let transfer { context.cancel(transfer.id) }
        (transfer, arrival, hint, deadline) = (nil, nil, nil, nil)
    }
}
