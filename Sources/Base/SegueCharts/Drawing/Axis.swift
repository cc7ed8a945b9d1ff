internal import Foundation

/// A linear scale from values to positions on a drawing.
package struct Axis {
    private let values: ClosedRange<Double>
    private let start: Double
    private let end: Double

    /// `start` is the position of the lower value.
    ///
    /// `end` is the position of the upper value, which may be smaller: positions count from the top.
    package init(_ values: ClosedRange<Double>, from start: Double, to end: Double) {
        (self.values, self.start, self.end) = (values, start, end)
    }

    /// The position of a value.
    package func place(_ value: Double) -> Double {
        let share = (value - values.lowerBound) / (values.upperBound - values.lowerBound)
        return start + share * (end - start)
    }

    /// Round values inside the scale: multiples of 1, 2, or 5 times a power of ten.
    ///
    /// There are at most `most` + 1.
    package func ticks(_ most: Int) -> [Double] {
        let rough = (values.upperBound - values.lowerBound) / Double(most)
        let power = pow(10, floor(log10(rough)))
        let step = [1, 2, 5, 10].map { $0 * power }.first { $0 >= rough } ?? rough
        guard step > 0, step.isFinite else { return [] }
        let first = (values.lowerBound / step).rounded(.up)
        let last = (values.upperBound / step).rounded(.down)
        return stride(from: first, through: last, by: 1).map { $0 * step }
    }
}
