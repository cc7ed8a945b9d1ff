/// A straight line through points, by least squares.
package struct FittedLine: Sendable {
    private var origin = SIMD2<Double>(0, 0)
    private var sums = SIMD4<Double>(0, 0, 0, 0)
    /// How many points were added.
    package private(set) var count = 0

    /// A line through no points.
    package init() {}

    /// Adds a point.
    package mutating func add(_ x: Double, _ y: Double) {
        if count == 0 { origin = [x, y] }
        let (x, y) = (x - origin.x, y - origin.y)
        sums += [x, y, x * x, x * y]
        count += 1
    }

    /// How steep it is; nil with fewer than ten points, from which nothing follows.
    package var slope: Double? {
        let number = Double(count)
        let spread = number * sums.z - sums.x * sums.x
        guard count >= 10, spread > 0 else { return nil }
        return (number * sums.w - sums.x * sums.y) / spread
    }

    /// The line's height, with a slope that is known.
    package func value(at x: Double, slope: Double) -> Double {
        guard count > 0 else { return 0 }
        let number = Double(count)
        return origin.y + sums.y / number + slope * (x - origin.x - sums.x / number)
    }
}
