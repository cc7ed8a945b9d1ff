internal import SegueBase
internal import SegueFetch
internal import SeguePlaylists

/// A stream's request for media, with its data and its retries.
struct SegmentRequest: Sendable {
    enum Target: Sendable {
        case map(MapAddress, key: SegmentKey?)
        case segment(Int)
        /// A part, as it was named at the time of the request.
        case part(SegmentTimeline.Slot)
    }

    /// The data so far; nil while no request is open.
    private(set) var transfer: Transfer? {
        didSet { transferID = transfer?.id }
    }

    /// The ID of the request, which is checked for each piece of data.
    ///
    /// It is stored separately to avoid a copy of the transfer.
    private(set) var transferID: FetchID?

    private(set) var target: Target?

    /// True if the response is not read until ``setRead(_:_:)`` resumes it.
    private var isUnread = false

    /// True if the target is a part of a segment.
    var isOfPart: Bool {
        if case .part = target { true } else { false }
    }

    /// The start of the open request for a segment, and the number of bytes received.
    var segmentBegan: (at: Instant, bytes: Int)? {
        guard case .segment = target, let transfer else { return nil }
        return (transfer.began, transfer.bytes.count)
    }

    private var attempts = Attempts()

    /// The data of an interrupted segment, and the size of the whole.
    private var kept: (number: Int, bytes: FetchBytes, size: Int64)?

    /// The instant of the next retry; nil while a request is open, and if nothing failed.
    var retryAt: Instant? { transfer == nil ? attempts.retryAt : nil }

    mutating func mayBegin(at now: Instant) -> Bool { transfer == nil && attempts.allow(at: now) }

    mutating func begin(_ request: FetchRequest, for target: Target, at now: Instant) {
        self.target = target
        isUnread = false
        if case .segment(let number) = target, number == kept?.number {} else { kept = nil }
        transfer = Transfer(request, began: now)
    }

    /// Handles the head of a response.
    mutating func receive(_ response: FetchResponse, at now: Instant) { transfer?.receive(response, at: now) }

    /// Handles data, and returns a failure if they arrive too slowly.
    mutating func receive(_ bytes: FetchBytes, at now: Instant) -> LoadFailure? {
        transfer?.receive(bytes)
        return transfer?.look(at: now)
    }

    /// Starts or stops reading the response.
    mutating func setRead(_ isRead: Bool, _ context: inout StepContext) {
        guard let id = transferID, isUnread == isRead else { return }
        isUnread = !isRead
        if isRead { context.read(id) } else { context.stopReading(id) }
    }

    /// Takes over an open request that has not been read.
    mutating func takeOver(_ other: inout SegmentRequest) {
        (transfer, target, isUnread) = (other.transfer, other.target, true)
        other = SegmentRequest()
    }

    /// Ends the request with its data, which belong to a playlist.
    mutating func finish(
        _ bytes: FetchBytes,
        of playlist: String,
        at now: Instant
    ) -> (media: ReceivedMedia, target: Target)? {
        guard let transfer, let target else { return nil }
        let took = now - transfer.began
        let media = ReceivedMedia(transfer: transfer, bytes: whole(bytes), playlist: playlist, took: took)
        self = SegmentRequest()
        return (media, target)
    }

    /// Records a failure, and returns whether there will be a retry.
    mutating func fail(_ reason: LoadFailure, at now: Instant, _ settings: PlatformProfile.Loading) -> Bool {
        keep(after: reason, settings)
        (transfer, target) = (nil, nil)
        return attempts.fail(reason, at: now, settings)
    }

    /// Ends the request without data and without a retry.
    mutating func giveUp() { (transfer, target) = (nil, nil) }

    /// Cancels the open request.
    mutating func stop(_ context: inout StepContext) {
        if let transfer { context.cancel(transfer.id) }
        (transfer, target, kept) = (nil, nil, nil)
    }

    /// Clears earlier failures.
    mutating func forgive() { (attempts, kept) = (Attempts(), nil) }

    // MARK: Interruptions

    /// The data of this request so far, and the size of the whole segment, if known.
    var progress: (bytes: FetchBytes, size: Int64)? {
        guard let transfer, transfer.response?.status == (transfer.range == nil ? 200 : 206) else { return nil }
        let size = transfer.range?.length ?? transfer.announcedLength.map(Int64.init)
        return size.map { (transfer.bytes, kept?.size ?? $0) }
    }

    /// The number of bytes received before this request.
    var keptBytes: Int { kept?.bytes.count ?? 0 }

    /// Keeps the data of an interrupted segment, on platforms that request only the rest.
    private mutating func keep(after reason: LoadFailure, _ settings: PlatformProfile.Loading) {
        guard settings.failing.retryFrom == .received, [.lost, .truncated, .timedOut].contains(reason.kind) else {
            return
        }
        keep()
    }

    /// Cancels the request for a segment, and keeps its data.
    ///
    /// The next request is for the rest.
    mutating func breakOff(_ context: inout StepContext) {
        guard let transfer else { return }
        keep()
        context.cancel(transfer.id)
        (self.transfer, target) = (nil, nil)
    }

    private mutating func keep() {
        guard case .segment(let number) = target, let (bytes, size) = progress, !bytes.isEmpty else { return }
        var all = kept?.bytes ?? FetchBytes()
        all.append(bytes)
        kept = Int64(all.count) < size ? (number, all, size) : nil
    }

    /// Returns the missing range of an interrupted segment; nil for the whole.
    func rest(of slot: SegmentTimeline.Slot, number: Int) -> FetchRange? {
        guard let kept, kept.number == number, kept.size > Int64(kept.bytes.count) else { return nil }
        let come = Int64(kept.bytes.count)
        return FetchRange(offset: (slot.range?.offset ?? 0) + come, length: kept.size - come)
    }

    /// Returns the whole segment, given the data of this request.
    private func whole(_ bytes: FetchBytes) -> FetchBytes {
        guard var all = kept?.bytes else { return bytes }
        all.append(bytes)
        return all
    }
}
