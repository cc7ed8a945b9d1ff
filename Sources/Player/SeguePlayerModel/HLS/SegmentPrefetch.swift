internal import SegueBase
internal import SegueFetch

/// The request for the segment after the current one, which is read after it.
struct SegmentPrefetch: Sendable {
    private var request = SegmentRequest()

    /// Whether the response is complete, although it is not read yet.
    private var isComplete = false

    var transfer: Transfer? { request.transfer }

    var transferID: FetchID? { request.transferID }

    var target: SegmentRequest.Target? { request.target }

    /// Whether the request has no response yet.
    var awaitsResponse: Bool { request.transfer.map { $0.response == nil } ?? false && !isComplete }

    mutating func begin(_ fetch: FetchRequest, for target: SegmentRequest.Target, at now: Instant) {
        request.begin(fetch, for: target, at: now)
    }

    /// Handles its news.
    ///
    /// Fetchers that read all data deliver them early.
    mutating func receive(_ event: FetchEvent, _ context: inout StepContext) {
        switch event {
        case .response(_, let response):
            request.receive(response, at: context.now)
            if context.settings.requesting.prefetchHolds { request.setRead(false, &context) }
        case .data(_, let bytes): _ = request.receive(bytes, at: context.now)
        case .failed: request.giveUp()
        case .finished: isComplete = true
        }
    }

    /// Hands the request over, and returns whether its response is complete.
    mutating func handOver(to other: inout SegmentRequest) -> Bool {
        defer { isComplete = false }
        other.takeOver(&request)
        return isComplete
    }

    /// Cancels the request.
    mutating func stop(_ context: inout StepContext) {
        request.stop(&context)
        isComplete = false
    }
}
