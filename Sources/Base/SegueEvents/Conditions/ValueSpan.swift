/// The range of a number during a time range.
package enum ValueSpan: Sendable, Equatable {
    /// The number has no value all the time.
    case nothing
    /// The number stays between two bounds.
    case within(ClosedRange<Double>)
    /// The range is unknown.
    case untold

    /// Creates the range between two numbers, in any order.
    package init(_ one: Double, _ other: Double) {
        guard one.isFinite, other.isFinite else {
            self = .untold
            return
        }
        self = .within(min(one, other)...max(one, other))
    }

    /// Creates the range between the minimum and the maximum of some numbers.
    fileprivate init(among numbers: [Double]) {
        guard let least = numbers.min(), let greatest = numbers.max(), numbers.allSatisfy(\.isFinite) else {
            self = .untold
            return
        }
        self = .within(least...greatest)
    }
}

extension Expression {
    /// Returns the range of the expression during a time range.
    ///
    /// - Parameter lookup: The range of a name.
    /// - Returns: Bounds that hold at every moment, including rounding, as all operations are monotonic.
    package func span(_ lookup: (String) -> ValueSpan) -> ValueSpan { term.span(lookup) }
}

extension Expression.Term {
    fileprivate func span(_ lookup: (String) -> ValueSpan) -> ValueSpan {
        switch self {
        case .number(let number): return ValueSpan(number, number)
        case .name(let name): return lookup(name)
        case .negative(let term):
            return Self.spans([term], lookup: lookup) { ValueSpan(-$0[0].lowerBound, -$0[0].upperBound) }
        case .combined(let operation, let left, let right):
            return Self.spans([left, right], lookup: lookup) { Self.combine(operation, $0[0], and: $0[1]) }
        case .call(let function, let terms): return Self.spans(terms, lookup: lookup) { Self.call(function, $0) }
        }
    }

    private static func spans(
        _ terms: [Self],
        lookup: (String) -> ValueSpan,
        make: ([ClosedRange<Double>]) -> ValueSpan
    ) -> ValueSpan {
        var ranges: [ClosedRange<Double>] = []
        for term in terms {
            switch term.span(lookup) {
            case .nothing: return .nothing
            case .untold: continue
            case .within(let range): ranges.append(range)
            }
        }
        return ranges.count == terms.count ? make(ranges) : .untold
    }

    private static func combine(
        _ operation: Expression.Operation,
        _ left: ClosedRange<Double>,
        and right: ClosedRange<Double>
    ) -> ValueSpan {
        switch operation {
        case .plus: ValueSpan(left.lowerBound + right.lowerBound, left.upperBound + right.upperBound)
        case .minus: ValueSpan(left.lowerBound - right.upperBound, left.upperBound - right.lowerBound)
        case .times: ValueSpan(among: corners(left, right, by: *))
        // There may be moments without a value in between.
        case .over where right.contains(0): right == 0...0 ? .nothing : .untold
        case .over: ValueSpan(among: corners(left, right, by: /))
        }
    }

    private static func corners(
        _ left: ClosedRange<Double>,
        _ right: ClosedRange<Double>,
        by operation: (Double, Double) -> Double
    ) -> [Double] {
        [left.lowerBound, left.upperBound].flatMap { one in
            [right.lowerBound, right.upperBound].map { operation(one, $0) }
        }
    }

    private static func call(_ function: Expression.Function, _ ranges: [ClosedRange<Double>]) -> ValueSpan {
        let least = ranges.map(\.lowerBound)
        let greatest = ranges.map(\.upperBound)
        switch function {
        case .min: return ValueSpan(least.min() ?? .nan, greatest.min() ?? .nan)
        case .max: return ValueSpan(least.max() ?? .nan, greatest.max() ?? .nan)
        case .floor: return ValueSpan(least[0].rounded(.down), greatest[0].rounded(.down))
        case .round: return ValueSpan(least[0].rounded(), greatest[0].rounded())
        case .abs:
            let (low, high) = (Swift.abs(least[0]), Swift.abs(greatest[0]))
            return ranges[0].contains(0) ? ValueSpan(0, max(low, high)) : ValueSpan(low, high)
        }
    }
}

extension Comparison {
    /// Returns whether a number meets the comparison during a whole time range; see ``holds(_:isExact:_:)``.
    ///
    /// - Parameters:
    ///   - found: The range of the number.
    ///   - isExact: True if the default tolerance applies to equality only.
    ///   - lookup: The range of a name.
    /// - Returns: The result for every moment; nil if it is unknown or varies.
    package func holds(_ found: ValueSpan, isExact: Bool, _ lookup: (String) -> ValueSpan) -> Bool? {
        let usual = usualSlack(isExact: isExact)
        let slack = tolerance?.span(lookup) ?? ValueSpan(usual, usual)
        let spans = [found, value.span(lookup), slack]
        // An unknown value does not meet a comparison.
        if spans.contains(.nothing) { return false }
        guard case .within(let found) = spans[0], case .within(let value) = spans[1], case .within(let slack) = spans[2]
        else { return nil }
        let (low, high) = (found.lowerBound - value.upperBound, found.upperBound - value.lowerBound)
        guard low.isFinite, high.isFinite else { return nil }
        let nearest = low <= 0 && high >= 0 ? 0 : min(abs(low), abs(high))
        let isNear = Self.told(
            max(abs(low), abs(high)) <= slack.lowerBound + Comparison.half,
            never: nearest > slack.upperBound + Comparison.half
        )
        switch relation {
        case .equal: return isNear
        case .other: return isNear.map { !$0 }
        case .least: return Self.either(Self.told(low >= 0, never: high < 0), isNear)
        case .most: return Self.either(Self.told(high <= 0, never: low > 0), isNear)
        case .above: return Self.told(low > 0, never: high <= 0)
        case .below: return Self.told(high < 0, never: low >= 0)
        }
    }

    private static func told(_ always: Bool, never: Bool) -> Bool? { always ? true : never ? false : nil }

    private static func either(_ one: Bool?, _ other: Bool?) -> Bool? {
        if one == true || other == true { return true }
        return one == false && other == false ? false : nil
    }
}
