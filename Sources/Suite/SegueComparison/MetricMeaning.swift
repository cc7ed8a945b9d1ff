internal import SegueBase

/// What a metric's figures mean: its unit, which way is worse, and what difference nobody would notice.
package struct MetricMeaning: Sendable, Equatable {
    /// Which way is worse.
    package enum Direction: String, Sendable { case up, down, awayFromZero }

    /// The metric's name, as in the report's JSON.
    package let name: String
    /// The unit, as it is written behind a figure; empty for a count.
    package let unit: String
    /// Which way is worse.
    package let worse: Direction
    /// The least difference that counts, in the unit.
    package let floor: Double
    /// The least difference that counts, as a share of the figure before.
    package let share: Double

    /// Every metric that is judged.
    ///
    /// One that is not here is kept and drawn, but nobody says which way is worse.
    package static let all = [
        MetricMeaning(name: "startupSeconds", unit: "s", worse: .up, floor: 0.05, share: 0.05),
        MetricMeaning(name: "stalls", unit: "", worse: .up, floor: 0, share: 0),
        MetricMeaning(name: "stallSeconds", unit: "s", worse: .up, floor: 0.1, share: 0.05),
        MetricMeaning(name: "stallShare", unit: "", worse: .up, floor: 0.005, share: 0.05),
        MetricMeaning(name: "switchGapSeconds", unit: "s", worse: .up, floor: 0.02, share: 0.05),
        MetricMeaning(name: "silenceSeconds", unit: "s", worse: .up, floor: 0.05, share: 0.05),
        MetricMeaning(name: "missingSamples", unit: "samples", worse: .up, floor: 0, share: 0),
        MetricMeaning(name: "repeatedSamples", unit: "samples", worse: .up, floor: 0, share: 0),
        MetricMeaning(name: "avOffsetMilliseconds", unit: "ms", worse: .awayFromZero, floor: 2, share: 0),
        MetricMeaning(name: "errors", unit: "", worse: .up, floor: 0, share: 0),
        MetricMeaning(name: "requests", unit: "", worse: .up, floor: 2, share: 0.05),
        MetricMeaning(name: "firstByteSeconds", unit: "s", worse: .up, floor: 0.05, share: 0.1),
        MetricMeaning(name: "serverSeconds", unit: "s", worse: .up, floor: 0.05, share: 0.2),
        MetricMeaning(name: "bitrate", unit: "bit/s", worse: .down, floor: 1000, share: 0.05),
        MetricMeaning(name: "bytes", unit: "bytes", worse: .up, floor: 16_384, share: 0.05),
        MetricMeaning(name: "heardSeconds", unit: "s", worse: .down, floor: 0.1, share: 0.005),
    ]

    private static let byName = Dictionary(uniqueKeysWithValues: all.map { ($0.name, $0) })

    /// The meaning of a metric; nil where nobody says which way is worse.
    package static func of(_ name: String) -> MetricMeaning? { byName[name] }

    /// What can become of the sound in the background, the best first.
    package static let backgrounds = ["continues", "paused", "unavailable", "rejected"]

    /// By how much a figure is worse than another, in the unit; negative where it is better.
    func worsening(from before: Double, to after: Double) -> Double {
        switch worse {
        case .up: after - before
        case .down: before - after
        case .awayFromZero: abs(after) - abs(before)
        }
    }

    /// A figure with its unit.
    package func words(_ value: Double) -> String {
        let places = unit == "bytes" || unit == "samples" || unit == "bit/s" ? 0 : 3
        return Self.words(value, places: places) + (unit.isEmpty ? "" : " " + unit)
    }

    /// A figure of a metric, with its unit where it is known.
    package static func words(_ value: Double, of name: String) -> String {
        of(name)?.words(value) ?? words(value, places: 3)
    }

    private static func words(_ value: Double, places: Int) -> String { DecimalText.short(value, places: places) }
}

/// How far a metric wanders by itself, and so from which difference on it has changed.
package struct MetricSpread: Sendable, Equatable {
    /// How many runs are looked at, at the most.
    package static let runs = 20
    /// How many there must be before they say anything.
    static let least = 5

    /// The figure in the middle; nil where there are too few.
    let median: Double?
    /// The median absolute deviation, scaled so that it is the standard deviation of what is normally distributed.
    let deviation: Double

    /// The spread of figures, of which order does not matter.
    package init(_ values: [Double]) {
        guard values.count >= Self.least else {
            (median, deviation) = (nil, 0)
            return
        }
        let middle = Self.middle(values)
        median = middle
        deviation = 1.4826 * Self.middle(values.map { abs($0 - middle) })
    }

    private static func middle(_ values: [Double]) -> Double {
        let sorted = values.sorted()
        let half = sorted.count / 2
        return sorted.count % 2 == 1 ? sorted[half] : (sorted[half - 1] + sorted[half]) / 2
    }
}

extension MetricMeaning {
    /// From which difference on a figure has changed: three deviations of its own, and at least the floor and the
    /// share.
    ///
    /// - Parameters:
    ///   - spread: How far it wanders by itself.
    /// - Returns: The difference, in the metric's unit.
    package func tolerance(from before: Double, _ spread: MetricSpread) -> Double {
        max(floor, share * abs(before), 3 * spread.deviation)
    }

    /// What became of a figure: 1 for worse, -1 for better, 0 for neither.
    ///
    /// It has changed where it is farther than the tolerance from what it was before, and also from the middle of the
    /// runs before, since the one that it is compared with may itself have been out of the way.
    package func change(from before: Double, to after: Double, _ spread: MetricSpread) -> Int {
        let tolerance = tolerance(from: before, spread)
        let worsening = worsening(from: before, to: after)
        let sinceMedian = spread.median.map { self.worsening(from: $0, to: after) } ?? worsening
        // What is exactly as much as the tolerance is within it, rounding of decimals included.
        let bound = tolerance * (1 + 1e-9) + 1e-9
        if worsening > bound, sinceMedian > bound { return 1 }
        return worsening < -bound && sinceMedian < -bound ? -1 : 0
    }
}
