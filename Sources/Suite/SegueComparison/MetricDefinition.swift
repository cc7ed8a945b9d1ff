internal import SegueBase

/// The unit of a metric, its direction, and its smallest noticeable difference.
package struct MetricDefinition: Sendable, Equatable {
    /// The direction that is worse.
    package enum Direction: String, Sendable { case up, down, awayFromZero }

    /// The name in the report's JSON.
    package let name: String
    /// The unit as text; empty for a count.
    package let unit: String
    package let worse: Direction
    /// The smallest difference that counts, in the unit.
    package let floor: Double
    /// The smallest difference that counts, relative to the figure before.
    package let share: Double

    /// All metrics that are judged.
    ///
    /// Other metrics are stored and drawn, but have no direction.
    package static let all = [
        MetricDefinition(name: "startupSeconds", unit: "s", worse: .up, floor: 0.05, share: 0.05),
        MetricDefinition(name: "stalls", unit: "", worse: .up, floor: 0, share: 0),
        MetricDefinition(name: "stallSeconds", unit: "s", worse: .up, floor: 0.1, share: 0.05),
        MetricDefinition(name: "stallShare", unit: "", worse: .up, floor: 0.005, share: 0.05),
        MetricDefinition(name: "switchGapSeconds", unit: "s", worse: .up, floor: 0.02, share: 0.05),
        MetricDefinition(name: "silenceSeconds", unit: "s", worse: .up, floor: 0.05, share: 0.05),
        MetricDefinition(name: "missingSamples", unit: "samples", worse: .up, floor: 0, share: 0),
        MetricDefinition(name: "repeatedSamples", unit: "samples", worse: .up, floor: 0, share: 0),
        MetricDefinition(name: "avOffsetMilliseconds", unit: "ms", worse: .awayFromZero, floor: 2, share: 0),
        MetricDefinition(name: "errors", unit: "", worse: .up, floor: 0, share: 0),
        MetricDefinition(name: "requests", unit: "", worse: .up, floor: 2, share: 0.05),
        MetricDefinition(name: "firstByteSeconds", unit: "s", worse: .up, floor: 0.05, share: 0.1),
        MetricDefinition(name: "serverSeconds", unit: "s", worse: .up, floor: 0.05, share: 0.2),
        MetricDefinition(name: "bitrate", unit: "bit/s", worse: .down, floor: 1000, share: 0.05),
        MetricDefinition(name: "bytes", unit: "bytes", worse: .up, floor: 16_384, share: 0.05),
        MetricDefinition(name: "heardSeconds", unit: "s", worse: .down, floor: 0.1, share: 0.005),
    ]

    private static let byName = Dictionary(uniqueKeysWithValues: all.map { ($0.name, $0) })

    /// The meaning of a metric; nil for one that is not judged.
    package static func of(_ name: String) -> MetricDefinition? { byName[name] }

    /// The possible fates of audio in the background, the best first.
    package static let backgrounds = ["continues", "paused", "unavailable", "rejected"]

    /// The amount by which a figure is worse than before, in the unit; negative if it is better.
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

    /// A figure of a metric, with the unit if it is known.
    package static func words(_ value: Double, of name: String) -> String {
        of(name)?.words(value) ?? words(value, places: 3)
    }

    private static func words(_ value: Double, places: Int) -> String { DecimalText.short(value, places: places) }
}

/// The normal variation of a metric over past runs.
package struct MetricSpread: Sendable, Equatable {
    /// The number of past runs that count.
    package static let runs = 20
    /// The minimum number of past runs.
    static let least = 5

    /// The median; nil with too few runs.
    let median: Double?
    /// The median absolute deviation, scaled to the standard deviation of a normal distribution.
    let deviation: Double

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

extension MetricDefinition {
    /// The smallest difference that counts as a change: three deviations, and at least the floor and the share.
    ///
    /// - Returns: The difference in the metric's unit.
    package func tolerance(from before: Double, _ spread: MetricSpread) -> Double {
        max(floor, share * abs(before), 3 * spread.deviation)
    }

    /// The direction of a change: 1 for worse, -1 for better, 0 for neither.
    ///
    /// A figure has changed if it differs by more than the tolerance both from the figure before and from the median of
    /// past runs, since the figure before may itself be an outlier.
    package func change(from before: Double, to after: Double, _ spread: MetricSpread) -> Int {
        let tolerance = tolerance(from: before, spread)
        let worsening = worsening(from: before, to: after)
        let sinceMedian = spread.median.map { self.worsening(from: $0, to: after) } ?? worsening
        // A difference of exactly the tolerance is within it, including rounding of decimals.
        let bound = tolerance * (1 + 1e-9) + 1e-9
        if worsening > bound, sinceMedian > bound { return 1 }
        return worsening < -bound && sinceMedian < -bound ? -1 : 0
    }
}
