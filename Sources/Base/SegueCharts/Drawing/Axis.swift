internal import Foundation

/// An axis of a graph: which place on the drawing a value has.
package struct Axis {
    private let values: ClosedRange<Double>
    private let start: Double
    private let end: Double

    /// An axis.
    ///
    /// - Parameters:
    ///   - values: The values at its ends, which are not the same.
    ///   - start: The place of the lower one.
    ///   - end: The place of the upper one, which may be less: places count from the top.
    package init(_ values: ClosedRange<Double>, from start: Double, to end: Double) {
        (self.values, self.start, self.end) = (values, start, end)
    }

    /// The place of a value.
    package func place(_ value: Double) -> Double {
        let share = (value - values.lowerBound) / (values.upperBound - values.lowerBound)
        return start + share * (end - start)
    }

    /// Round values: multiples of one, two or five times a power of ten, at most so many and one.
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
