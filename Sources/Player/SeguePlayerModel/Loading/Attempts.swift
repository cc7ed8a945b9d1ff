internal import SegueBase
internal import SegueFetch

/// Why a request brought nothing, with what matters for whether it is repeated.
struct LoadFailure: Error, Equatable {
    let error: PlaybackError
    /// The kind of failure; nil for one that will be the same the next time.
    let kind: FailureKind?
    /// How long the server asks to wait; nil when it does not.
    var retryAfter: Duration?

    init(_ error: PlaybackError, _ kind: FailureKind?, retryAfter: Duration? = nil) {
        self.error = error
        self.kind = kind
        self.retryAfter = retryAfter
    }

    init(_ error: FetchError) { self.init(PlaybackError(error), FailureKind(error.reason)) }
}

/// Whether and when a failed request is repeated: after a delay that doubles up to a bound, as often as the profile
/// says for the kind of failure.
struct Attempts: Sendable {
    /// The longest that a server may ask to wait.
    private static let greatestRetryAfter = Duration.seconds(60)

    private var failures = 0

    /// When to try again; nil when nothing failed, or the wait is over.
    private(set) var retryAt: Instant?

    /// Takes in a failure.
    ///
    /// - Returns: Whether it will be tried again.
    mutating func fail(_ failure: LoadFailure, at now: Instant, _ settings: PlatformProfile.Loading) -> Bool {
        failures += 1
        guard let kind = failure.kind, failures <= settings.failing.retriesByKind[kind] ?? settings.failing.retries
        else {
            return false
        }
        var delay = min(settings.failing.retryDelay, settings.failing.retryDelayLimit)
        for _ in 1..<min(failures, 32) { delay = min(delay + delay, settings.failing.retryDelayLimit) }
        if let asked = failure.retryAfter { delay = max(delay, min(asked, Attempts.greatestRetryAfter)) }
        retryAt = now + delay
        return true
    }

    /// Whether a request may begin now; a wait that is over is over for good, whether a request begins or not.
    mutating func allow(at now: Instant) -> Bool {
        if let retryAt, now < retryAt { return false }
        retryAt = nil
        return true
    }
}
