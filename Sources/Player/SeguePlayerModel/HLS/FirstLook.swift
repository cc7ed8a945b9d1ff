internal import SegueFetch

/// The inspection of a stream's first segment, whose first request ends when enough has arrived.
struct FirstLook: Sendable {
    /// The number of bytes that suffice to inspect a segment.
    private static let enough = 32 << 10

    private var isDone = false

    /// Interrupts a request with enough data, and returns whether it did.
    mutating func breakOff(_ request: inout SegmentRequest, _ context: inout StepContext) -> Bool {
        guard !isDone, request.keptBytes == 0, let (bytes, size) = request.progress, bytes.count >= Self.enough,
            size > bytes.count
        else { return false }
        isDone = true
        request.breakOff(&context)
        return true
    }

    /// Discards a segment that was complete before it could be interrupted, to request it again, and returns whether it
    /// did.
    mutating func drop(_ request: inout SegmentRequest) -> Bool {
        guard !isDone, case .segment = request.target, let (bytes, size) = request.progress, Int64(bytes.count) == size
        else { return false }
        isDone = true
        request.giveUp()
        return true
    }
}
