/// Tells from when on by how much audio and frame are apart.
struct OffsetReading {
    /// From a place on something is moved.
    struct Step: Equatable {
        /// The number of the value at which it begins.
        var value: Int
        /// By how much, in seconds, from there on.
        var offset: Double
        /// True if it goes on changing until the last value, and what it has come to there.
        var drift: Double?
    }

    /// Reads values in order.
    ///
    /// - Parameters:
    ///   - values: When each was measured and what, in seconds.
    ///   - allowed: What the first may be.
    ///   - step: By how much others may differ from those before.
    /// - Returns: The steps.
    static func steps(_ values: [(time: Double, offset: Double)], allowed: Double, step: Double) -> [Step] {
        guard values.count > 1 else { return [] }
        if let drift = drift(values, step: step) {
            let first = abs(values[0].offset) > allowed ? [Step(value: 0, offset: values[0].offset)] : []
            return first + [Step(value: 0, offset: drift.rate, drift: drift.total)]
        }
        var steps: [Step] = []
        var (begin, level) = (0, median(values[0..<min(3, values.count)].map(\.offset)))
        if abs(level) > allowed { steps.append(Step(value: 0, offset: level)) }
        var place = 1
        while place < values.count {
            // What only one value says may be chance.
            let next = values[place..<min(place + 3, values.count)].map(\.offset)
            let now = median(next)
            if abs(values[place].offset - level) > step, abs(now - level) > step, next.count > 1 {
                steps.append(Step(value: place, offset: now))
                (begin, level) = (place, now)
            } else if place - begin < 8 {
                level = median(values[begin...place].map(\.offset))
            }
            place += 1
        }
        return steps
    }

    /// How much values change a second and in all, where they do so evenly.
    private static func drift(_ values: [(time: Double, offset: Double)], step: Double) -> (
        rate: Double, total: Double
    )? {
        guard values.count >= 8, let first = values.first, let last = values.last, last.time - first.time > 4 else {
            return nil
        }
        let count = Double(values.count)
        let (meanTime, mean) = (values.reduce(0) { $0 + $1.time } / count, values.reduce(0) { $0 + $1.offset } / count)
        let spread = values.reduce(0) { $0 + ($1.time - meanTime) * ($1.time - meanTime) }
        guard spread > 0 else { return nil }
        let rate = values.reduce(0) { $0 + ($1.time - meanTime) * ($1.offset - mean) } / spread
        let total = rate * (last.time - first.time)
        guard abs(total) > step, abs(rate) > 5e-5 else { return nil }
        let far = values.count { abs($0.offset - mean - rate * ($0.time - meanTime)) > max(0.003, abs(total) / 10) }
        return far * 10 <= values.count ? (rate, total) : nil
    }

    private static func median(_ values: [Double]) -> Double {
        let sorted = values.sorted()
        return sorted[sorted.count / 2]
    }
}
