internal import SegueBase
internal import SegueFetch

/// A failure of a request, with the facts that determine whether it is retried.
struct LoadFailure: Error, Equatable {
    let error: PlaybackError
    /// The kind of failure; nil if a retry would have the same result.
    let kind: FailureKind?
    /// The delay that the server requests, if any.
    var retryAfter: Duration?

    init(_ error: PlaybackError, _ kind: FailureKind?, retryAfter: Duration? = nil) {
        self.error = error
        self.kind = kind
        self.retryAfter = retryAfter
    }

    init(_ error: FetchError) { self.init(PlaybackError(error), FailureKind(error.reason)) }
}

/// The retries of a request: after a delay that doubles up to a maximum, as often as the profile allows for the kind of
/// failure.
struct Attempts: Sendable {
    /// The maximum delay that a server may request.
    private static let greatestRetryAfter = Duration.seconds(60)

    private var failures = 0

    /// The instant of the next retry; nil if nothing failed, or the delay is over.
    private(set) var retryAt: Instant?

    /// Records a failure, and returns whether there will be a retry.
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

    /// Returns whether a request may begin now.
    ///
    /// Once a delay is over, it does not apply again, whether or not a request begins.
    mutating func allow(at now: Instant) -> Bool {
        if let retryAt, now < retryAt { return false }
        retryAt = nil
        return true
    }
}
