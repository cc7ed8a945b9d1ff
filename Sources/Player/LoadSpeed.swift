internal import Timeline

/// How fast media load, from the segments that came last.
struct LoadSpeed: Sendable {
    private struct Sample {
        let media: Duration
        let took: Duration
        let bytes: Int
    }

    /// How many segments the estimate looks back at: enough to smooth one slow answer, few enough to follow a change.
    private static let window = 5

    private var samples: [Sample] = []

    /// Takes in a segment that came whole.
    mutating func add(media: Duration, took: Duration, bytes: Int) {
        samples.append(Sample(media: media, took: max(took, .nanoseconds(1)), bytes: bytes))
        if samples.count > LoadSpeed.window { samples.removeFirst() }
    }

    /// Seconds of media that load in a second; nil when nothing has loaded yet.
    var mediaPerSecond: Double? {
        guard !samples.isEmpty else { return nil }
        return samples.reduce(0) { $0 + $1.media.seconds } / samples.reduce(0) { $0 + $1.took.seconds }
    }

    /// Bits that come in a second; nil when nothing has loaded yet.
    var bitsPerSecond: Double? {
        guard !samples.isEmpty else { return nil }
        return Double(samples.reduce(0) { $0 + $1.bytes }) * 8 / samples.reduce(0) { $0 + $1.took.seconds }
    }

    /// What the media themselves take, in bits per second; nil when nothing has loaded yet.
    var mediaBitrate: Double? {
        guard !samples.isEmpty else { return nil }
        let media = samples.reduce(0) { $0 + $1.media.seconds }
        return media > 0 ? Double(samples.reduce(0) { $0 + $1.bytes }) * 8 / media : nil
    }
}

/// Whether and when a failed request is repeated.
struct Attempts: Sendable {
    private var failures = 0

    /// When to try again; nil when nothing failed.
    private(set) var retryAt: Instant?

    /// Takes in a failure.
    ///
    /// - Returns: Whether it will be tried again.
    mutating func fail(_ error: PlaybackError, at now: Instant, _ settings: PlatformProfile.Loading) -> Bool {
        failures += 1
        guard error.mayPass, failures <= settings.retries else { return false }
        retryAt = now + settings.retryDelay
        return true
    }

    /// Whether a request may begin now.
    func allow(at now: Instant) -> Bool { retryAt.map { $0 <= now } ?? true }

    /// The request is begun again.
    mutating func begin() { retryAt = nil }
}
