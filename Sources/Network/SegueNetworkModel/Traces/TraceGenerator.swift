internal import Foundation
internal import SegueBase

/// A generator of rates that resemble measurements on the move, from a seed.
///
/// The logarithm of the rate is the sum of a fast and a slow Markov chain with memory from one second to the next.
/// Another chain decides on outages. The parameters are fitted to measured traces; `Harness/networks/README.md`
/// compares both.
struct TraceGenerator {
    /// The means of transport.
    enum Kind: String, CaseIterable {
        case bus, train, walk, lift
    }

    /// The parameters of a kind.
    private struct Traits {
        /// The standard deviation of the rate's logarithm.
        let spread: Double
        /// The fast chain's share of the variance.
        let fastShare: Double
        /// The memory of the fast chain, from one second to the next.
        let fastMemory: Double
        /// The share of time in outages.
        let outageShare: Double
        /// The mean duration of an outage, in seconds.
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

    /// Generates a course with one rate per second, which repeats at its end.
    ///
    /// - Parameters:
    ///   - mean: The overall mean including outages, in bits per second.
    ///   - seconds: The length; at least 1.
    /// - Returns: The course; nil if the mean is so low that nothing would pass.
    func course(seed: UInt64, mean: Int64, seconds: Int) -> RateCourse? {
        let shape = shape(seed: seed, seconds: seconds)
        let scale = Double(mean) * Double(seconds) / shape.reduce(0, +)
        let steps = shape.enumerated().map { second, value in
            RateCourse.Step(start: Int64(second) * 1_000_000_000, bitsPerSecond: Int64((value * scale).rounded()))
        }
        return RateCourse(steps, period: Int64(seconds) * 1_000_000_000)
    }

    /// The unscaled rates; the first one is above zero.
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

    /// The next value of a chain, with constant spread.
    private static func next(_ value: Double, spread: Double, memory: Double, _ random: inout SeededRandom) -> Double {
        memory * value + spread * (1 - memory * memory).squareRoot() * random.nextNormal()
    }
}

extension SeededRandom {
    /// An approximately normal number, equal on every machine: the sum of twelve uniform ones, centered.
    mutating func nextNormal() -> Double {
        var sum = -6.0
        for _ in 0..<12 { sum += nextUnit() }
        return sum
    }
}
