internal import SegueBase

/// Compares each delivered channel with each source channel to detect swaps.
struct ChannelOrder {
    /// A section in which a channel does not match its source channel.
    struct Fault: Equatable {
        enum Kind: Equatable {
            /// It matches another source channel, by its index.
            case holds(Int)
            /// It is silent, unlike the source's.
            case silent
        }
        /// The first delivered sample.
        var delivered: Int
        var channel: Int
        var kind: Kind
        var count: Int
    }

    private(set) var faults: [Fault] = []

    private var delivered: [AudioWindow]
    private var source: [AudioWindow]
    private var products: [Double]
    private var strengths: (delivered: [Double], source: [Double])
    private var count = 0
    private var hasJudged = false
    private var first = 0

    /// The number of samples judged together.
    private static let together = 12_000

    init(channels: Int) {
        let channels = channels > 1 ? channels : 0
        delivered = [AudioWindow](repeating: AudioWindow(channels: 1), count: channels)
        source = delivered
        products = [Double](repeating: 0, count: channels * channels)
        strengths = ([Double](repeating: 0, count: channels), [Double](repeating: 0, count: channels))
    }

    mutating func delivered(_ planes: [[Float]]) {
        for channel in delivered.indices where channel < planes.count { delivered[channel].append([planes[channel]]) }
    }

    mutating func source(_ planes: [[Float]]) {
        for channel in source.indices where channel < planes.count { source[channel].append([planes[channel]]) }
    }

    mutating func forget(before sample: Int, source place: Int) {
        for channel in delivered.indices {
            delivered[channel].drop(before: Int64(max(0, sample)))
            source[channel].drop(before: Int64(max(0, place)))
        }
    }

    /// Compares samples with known positions.
    mutating func compare(from sample: Int, lag: Int, count length: Int) {
        guard !delivered.isEmpty else { return }
        if count == 0 { first = sample }
        for one in delivered.indices {
            delivered[one].withSamples(from: Int64(sample)) { here in
                let here = UnsafeBufferPointer(rebasing: here[..<min(length, here.count)])
                strengths.delivered[one] += Double(AudioMath.product(here, here))
                for other in source.indices {
                    products[one * source.count + other] += source[other].withSamples(from: Int64(sample - lag)) {
                        Double(AudioMath.product(here, $0))
                    }
                }
            }
            strengths.source[one] += source[one].withSamples(from: Int64(sample - lag)) { there in
                let there = UnsafeBufferPointer(rebasing: there[..<min(length, there.count)])
                return Double(AudioMath.product(there, there))
            }
        }
        count += length
        if count >= Self.together { judge(end: sample + length) }
    }

    /// Judges the remaining samples.
    mutating func finish(at sample: Int) {
        if count >= Self.together / 4 { return judge(end: sample) }
        // Samples too few to judge continue the preceding fault.
        for number in faults.indices where faults[number].delivered + faults[number].count >= first {
            faults[number].count = sample - faults[number].delivered
        }
    }

    private mutating func judge(end: Int) {
        let quiet = AudioMatcher.quiet * Double(count)
        for one in delivered.indices {
            func correlation(_ other: Int) -> Double {
                let scale = strengths.delivered[one] * strengths.source[other]
                return scale > 0 ? products[one * source.count + other] / scale.squareRoot() : 0
            }
            let (here, own) = (strengths.delivered[one], strengths.source[one])
            if own > 10 * quiet, here < own / 1000 {
                note(Fault(delivered: first, channel: one, kind: .silent, count: end - first))
            } else if here > 10 * quiet, let best = source.indices.max(by: { correlation($0) < correlation($1) }),
                best != one, correlation(best) > 0.7, correlation(best) > correlation(one) + 0.25
            {
                note(Fault(delivered: first, channel: one, kind: .holds(best), count: end - first))
            }
        }
        (count, hasJudged) = (0, true)
        products = products.map { _ in 0 }
        strengths = (strengths.delivered.map { _ in 0 }, strengths.source.map { _ in 0 })
    }

    private mutating func note(_ fault: Fault) {
        var fault = fault
        if !hasJudged {
            // Samples before the first comparison are treated like it.
            fault.count += fault.delivered
            fault.delivered = 0
        }
        let same = faults.lastIndex { $0.channel == fault.channel && $0.kind == fault.kind }
        if let same, fault.delivered - (faults[same].delivered + faults[same].count) < 4 * Self.together {
            faults[same].count = fault.delivered + fault.count - faults[same].delivered
        } else {
            faults.append(fault)
        }
    }
}
