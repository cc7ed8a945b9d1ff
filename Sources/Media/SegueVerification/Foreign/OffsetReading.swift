/// Finds the changes of the offset between audio and video.
struct OffsetReading {
    /// A change of the offset.
    struct Step: Equatable {
        /// The index of the first affected value.
        var value: Int
        /// The new offset, in seconds.
        var offset: Double
        /// The final offset if it changes steadily until the end.
        var drift: Double?
    }

    /// Reads measured values; `allowed` limits the first one, `step` the changes.
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
            // A single value may be chance.
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

    /// The change per second and in total, if values change steadily.
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
