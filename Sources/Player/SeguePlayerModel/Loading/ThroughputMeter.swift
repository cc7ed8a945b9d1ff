internal import SegueBase

/// A meter of the bandwidth while media load, however many requests share it.
///
/// The bytes of all requests count together, over the time in which at least one is open, so that audio and video that
/// load side by side do not each seem to have half of the bandwidth. Each time a request ends, the bytes since the last
/// end go into two averages, one over a short and one over a long time. The estimate is the lower one, so that it
/// follows a drop immediately, and a rise only if it lasts. Platforms that evaluate single segments use
/// ``SegmentRates`` instead.
struct ThroughputMeter: Sendable {
    /// The minimum sample: fewer bytes measure the latency more than the bandwidth.
    private static let leastBytes = 16 << 10

    /// A moving average over a number of seconds of loading.
    private struct Average {
        let horizon: Double
        var value = 0.0
        var weight = 0.0

        mutating func add(_ sample: Double, lasting seconds: Double) {
            let former = min(weight, horizon)
            value = (value * former + sample * seconds) / (former + seconds)
            weight += seconds
        }
    }

    private let estimate: PlatformProfile.Estimate
    private var fast: Average
    private var slow: Average
    private var segments = SegmentRates()
    private var active = 0
    private var since = Instant.zero
    private var bytes = 0
    private var time = Duration.zero

    /// A meter with the settings of a platform, or by default with the lower of two averages over 3 s and 9 s.
    init(_ adapting: PlatformProfile.Adapting? = nil) {
        estimate = adapting?.estimate ?? .lowerOfTwo
        fast = Average(horizon: adapting?.estimateFast.seconds ?? 3)
        slow = Average(horizon: adapting?.estimateSlow.seconds ?? 9)
    }

    mutating func begin(at now: Instant) {
        if active > 0 { time += now - since }
        since = now
        active += 1
    }

    /// Restarts the clock at a response that is too short to measure the bandwidth including its latency, unless
    /// another request is open.
    mutating func answer(at now: Instant) {
        if active == 1 { since = now }
    }

    mutating func receive(_ count: Int) { bytes += count }

    /// Ends a request, in whatever way.
    mutating func end(at now: Instant) {
        guard active > 0 else { return }
        time += now - since
        since = now
        active -= 1
        average()
    }

    /// Adds bytes of a request that the server kept waiting before.
    mutating func add(_ count: Int, took: Duration) {
        bytes += count
        if active > 0 { return }
        time += took
        average()
    }

    private mutating func average() {
        guard bytes >= ThroughputMeter.leastBytes, time > .zero else { return }
        let sample = Double(bytes) * 8 / time.seconds
        fast.add(sample, lasting: time.seconds)
        slow.add(sample, lasting: time.seconds)
        (bytes, time) = (0, .zero)
    }

    /// Adds a complete segment.
    mutating func finish(segmentOf bytes: Int, took: Duration) {
        if bytes > 0, took > .zero { segments.add(Double(bytes) * 8 / took.seconds) }
    }

    /// Ends a canceled request, whose bytes do not count.
    mutating func giveUp() {
        active = max(0, active - 1)
        if active == 0 { (bytes, time) = (0, .zero) }
    }

    /// The bandwidth in bits per second; nil before the first measurement.
    var bitsPerSecond: Double? {
        switch estimate {
        case .lowerOfTwo: fast.weight > 0 ? min(fast.value, slow.value) : nil
        case .lowerOfTwoBySegment: segments.lowerOfTwo
        case .lastAndMeanOfThree: segments.lastAndMean
        case .last: segments.latest
        }
    }
}
