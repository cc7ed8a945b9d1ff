internal import SegueBase
internal import SegueEvents

/// Detects a delay of retries that audio does not reset: the first retry after a later failure comes much later than that
/// after an earlier one.
struct RetryWatch: Sendable {
    /// The duration of audio that resets the delay.
    private static let enough = Duration.seconds(10)
    /// The least delay that is a violation.
    ///
    /// Choice: shorter than the usual maximum of such delays, half a minute, and longer than a few retries take.
    private static let least = Duration.seconds(7)
    /// The least ratio to the shortest first delay in the run.
    private static let ratio = 4.0

    private var current: String?
    /// The failure whose first retry is awaited.
    private var failedAt: Instant?
    /// The start of the audio that is heard.
    private var heardSince: Instant?
    private var heard = Duration.zero
    private var shortest: Duration?

    /// Handles an event, and returns a description of a violation.
    mutating func handle(_ event: Event) -> String? {
        let now = event.at
        switch event.kind {
        // After these, a delay may have another reason.
        case .stepBegan, .platformLifecycle, .platformRejected: failedAt = nil
        case .queueCurrent(let item): current = item
        case .soundBegan: heardSince = now
        case .soundEnded: stopHearing(at: now)
        case .itemFailed(let item, _, _, _):
            stopHearing(at: now)
            guard item == current else { break }
            // The first failure counts from the beginning, and later ones from enough audio on.
            if shortest == nil && failedAt == nil || heard >= Self.enough { failedAt = now }
            heard = .zero
        case .queueInserted: return retry(at: now)
        default: break
        }
        return nil
    }

    private mutating func stopHearing(at now: Instant) {
        if let heardSince { heard += now - heardSince }
        heardSince = nil
    }

    private mutating func retry(at now: Instant) -> String? {
        guard let failedAt else { return nil }
        self.failedAt = nil
        let delay = now - failedAt
        guard let shortest else {
            shortest = delay
            return nil
        }
        self.shortest = min(shortest, delay)
        guard delay >= Self.least, delay.seconds >= shortest.seconds * Self.ratio else { return nil }
        return
            "the first retry after a failure came after \(delay.words), although it came after \(shortest.words) before,"
            + " and audio has played in between"
    }
}
