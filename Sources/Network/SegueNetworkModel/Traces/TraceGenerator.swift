internal import Foundation
internal import SegueBase

/// Makes courses of rates that look like what was measured on the way, by a seed.
///
/// The logarithm of the rate is the sum of two chains, each of which remembers a part of what it was a second before: a
/// fast one and a slow one. Another chain decides when nothing gets through. The numbers are fitted to measured traces;
/// `Harness/networks/README.md` has both side by side.
struct TraceGenerator {
    /// Where somebody is on the way.
    enum Kind: String, CaseIterable {
        case bus, train, walk, lift
    }

    /// What a kind is like.
    private struct Traits {
        /// The standard deviation of the rate's logarithm.
        let spread: Double
        /// The share of its variance that the fast chain has.
        let fastShare: Double
        /// What the fast chain keeps from one second to the next.
        let fastMemory: Double
        /// The share of time in which nothing gets through.
        let outageShare: Double
        /// How long that is each time, in seconds, on average.
        let outageLength: Double
    }

    private static let slowMemory = 0.97

    private let traits: Traits

    init(_ kind: Kind) {
        traits =
            switch kind {
            case .bus: Traits(spread: 0.4, fastShare: 0.9, fastMemory: 0.78, outageShare: 0.01, outageLength: 3)
            case .train: Traits(spread: 0.85, fastShare: 0.2, fastMemory: 0.4, outageShare: 0.05, outageLength: 4)
            case .walk: Traits(spread: 0.25, fastShare: 0.85, fastMemory: 0.7, outageShare: 0, outageLength: 1)
            case .lift: Traits(spread: 0.9, fastShare: 0.05, fastMemory: 0.5, outageShare: 0.3, outageLength: 30)
            }
    }

    /// A course with a rate for each second, which begins again at its end.
    ///
    /// - Parameters:
    ///   - seed: The seed.
    ///   - mean: The mean of the whole, outages included, in bits a second.
    ///   - seconds: How long it is; at least 1.
    /// - Returns: The course; nil where the mean is so little that nothing would get through.
    func course(seed: UInt64, mean: Int64, seconds: Int) -> RateCourse? {
        let shape = shape(seed: seed, seconds: seconds)
        let scale = Double(mean) * Double(seconds) / shape.reduce(0, +)
        let steps = shape.enumerated().map { second, value in
            RateCourse.Step(start: Int64(second) * 1_000_000_000, bitsPerSecond: Int64((value * scale).rounded()))
        }
        return RateCourse(steps, period: Int64(seconds) * 1_000_000_000)
    }

    /// The rates of the seconds, not to scale; the first is above zero.
    private func shape(seed: UInt64, seconds: Int) -> [Double] {
        var random = SeededRandom(seed: seed)
        let fastSpread = traits.spread * traits.fastShare.squareRoot()
        let slowSpread = traits.spread * (1 - traits.fastShare).squareRoot()
        var fast = fastSpread * random.nextNormal()
        var slow = slowSpread * random.nextNormal()
        let end = 1 / traits.outageLength
        let begin = end * traits.outageShare / (1 - traits.outageShare)
        var isOut = false
        return (0..<seconds).map { second in
            let value = exp(fast + slow)
            fast = Self.next(fast, spread: fastSpread, memory: traits.fastMemory, &random)
            slow = Self.next(slow, spread: slowSpread, memory: Self.slowMemory, &random)
            let unit = random.nextUnit()
            isOut = second > 0 && (isOut ? unit >= end : unit < begin)
            return isOut ? 0 : value
        }
    }

    /// A chain's next value, such that its spread stays.
    private static func next(_ value: Double, spread: Double, memory: Double, _ random: inout SeededRandom) -> Double {
        memory * value + spread * (1 - memory * memory).squareRoot() * random.nextNormal()
    }
}

extension SeededRandom {
    /// A number that is as good as normal, and the same on every machine: the sum of twelve even ones, less its mean.
    mutating func nextNormal() -> Double {
        var sum = -6.0
        for _ in 0..<12 { sum += nextUnit() }
        return sum
    }
}
