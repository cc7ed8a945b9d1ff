/// The measured rates of segments, and their averages.
struct SegmentRates: Sendable {
    /// The number of segments in the mean.
    private static let most = 3

    /// The weight of the previous value in each moving average.
    private static let kept = (quick: 0.2, slow: 0.8)

    private var quick = 0.0
    private var slow = 0.0
    private var last: [Double] = []

    /// Adds the rate of a complete segment, including the wait for its first byte, in bits per second.
    mutating func add(_ rate: Double) {
        quick = quick * SegmentRates.kept.quick + rate * (1 - SegmentRates.kept.quick)
        slow = slow * SegmentRates.kept.slow + rate * (1 - SegmentRates.kept.slow)
        last.append(rate)
        if last.count > SegmentRates.most { last.removeFirst() }
    }

    /// The lower of two moving averages that begin at 0, in bits per second; nil before the first segment.
    var lowerOfTwo: Double? { last.isEmpty ? nil : min(quick, slow) }

    /// The last rate, in bits per second; nil before the first segment.
    var latest: Double? { last.last }

    /// The lower of the last rate and the mean of the last three, in bits per second; nil before the first segment.
    var lastAndMean: Double? { last.last.map { min($0, last.reduce(0, +) / Double(last.count)) } }
}
