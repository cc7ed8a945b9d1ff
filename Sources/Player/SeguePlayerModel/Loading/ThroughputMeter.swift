internal import SegueBase

/// Measures what the line carries while media are loaded, whatever number of requests share it.
///
/// Bytes of all requests count together, over the time in which at least one was under way, so that audio and video that
/// load side by side do not each take half of the line for all of it. Each time a request ends, what came since the
/// last one ended goes into two averages, one that remembers little and one that remembers more; the smaller one is the
/// estimate, so that a fall is followed at once and a rise has to last. Platforms that go by single segments have
/// ``SegmentRates`` instead.
struct ThroughputMeter: Sendable {
    /// Fewer bytes than this say more about the delay than about the rate.
    private static let leastBytes = 16 << 10

    /// An average over about so many seconds of loading.
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

    /// A meter of a platform; of one that estimates by the lower of two averages over 3 s and 9 s where none is given.
    init(_ adapting: PlatformProfile.Adapting? = nil) {
        estimate = adapting?.estimate ?? .lowerOfTwo
        fast = Average(horizon: adapting?.estimateFast.seconds ?? 3)
        slow = Average(horizon: adapting?.estimateSlow.seconds ?? 9)
    }

    /// A request begins.
    mutating func begin(at now: Instant) {
        if active > 0 { time += now - since }
        since = now
        active += 1
    }

    /// The answer to a request begins that is too short to tell of the line with the delay before it: the time until now
    /// does not count, unless something else was under way.
    mutating func answer(at now: Instant) {
        if active == 1 { since = now }
    }

    /// Some bytes came.
    mutating func receive(_ count: Int) { bytes += count }

    /// A request is over, in whatever way.
    mutating func end(at now: Instant) {
        guard active > 0 else { return }
        time += now - since
        since = now
        active -= 1
        average()
    }

    /// So many bytes came in a time, of a request that was kept waiting before.
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

    /// A segment of so many bytes came whole, so long after it was asked for.
    mutating func finish(segmentOf bytes: Int, took: Duration) {
        if bytes > 0, took > .zero { segments.add(Double(bytes) * 8 / took.seconds) }
    }

    /// A request is given up at some moment; what came of it tells nothing more.
    mutating func giveUp() {
        active = max(0, active - 1)
        if active == 0 { (bytes, time) = (0, .zero) }
    }

    /// What the line carries, in bits per second; nil when nothing was measured yet.
    var bitsPerSecond: Double? {
        switch estimate {
        case .lowerOfTwo: fast.weight > 0 ? min(fast.value, slow.value) : nil
        case .lowerOfTwoBySegment: segments.lowerOfTwo
        case .lastAndMeanOfThree: segments.lastAndMean
        case .last: segments.latest
        }
    }
}
