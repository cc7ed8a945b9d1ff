/// What the line carried with each segment, and what is made of it.
struct SegmentRates: Sendable {
    /// How many segments the mean looks back at.
    private static let most = 3

    /// The share of its own that an average keeps of what it was, when a segment came.
    private static let kept = (quick: 0.2, slow: 0.8)

    private var quick = 0.0
    private var slow = 0.0
    private var last: [Double] = []

    /// A segment came whole with so many bits per second, the wait for its first byte included.
    mutating func add(_ rate: Double) {
        quick = quick * SegmentRates.kept.quick + rate * (1 - SegmentRates.kept.quick)
        slow = slow * SegmentRates.kept.slow + rate * (1 - SegmentRates.kept.slow)
        last.append(rate)
        if last.count > SegmentRates.most { last.removeFirst() }
    }

    /// The lower of two averages that begin at 0, in bits per second; nil before the first segment.
    var lowerOfTwo: Double? { last.isEmpty ? nil : min(quick, slow) }

    /// The last one, in bits per second; nil before the first segment.
    var latest: Double? { last.last }

    /// The lower of the last one and the mean of the last three, in bits per second; nil before the first segment.
    var lastAndMean: Double? { last.last.map { min($0, last.reduce(0, +) / Double(last.count)) } }
}
