/// A least-squares line through points.
package struct FittedLine: Sendable {
    private var origin = SIMD2<Double>(0, 0)
    private var sums = SIMD4<Double>(0, 0, 0, 0)
    package private(set) var count = 0

    package init() {}

    package mutating func add(_ x: Double, _ y: Double) {
        if count == 0 { origin = [x, y] }
        let (x, y) = (x - origin.x, y - origin.y)
        sums += [x, y, x * x, x * y]
        count += 1
    }

    /// The slope; nil with fewer than ten points.
    package var slope: Double? {
        let number = Double(count)
        let spread = number * sums.z - sums.x * sums.x
        guard count >= 10, spread > 0 else { return nil }
        return (number * sums.w - sums.x * sums.y) / spread
    }

    /// The value of the line at `x`, with a known slope.
    package func value(at x: Double, slope: Double) -> Double {
        guard count > 0 else { return 0 }
        let number = Double(count)
        return origin.y + sums.y / number + slope * (x - origin.x - sums.x / number)
    }
}
