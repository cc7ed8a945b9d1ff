/// Arithmetic in a data file: numbers, mostly in seconds, and names whose values are known at evaluation.
package struct Expression: Sendable, Equatable, CustomStringConvertible {
    /// A binary operation.
    enum Operation: Character, Sendable {
        case plus = "+"
        case minus = "-"
        case times = "*"
        case over = "/"
    }

    enum Function: String, Sendable, CaseIterable {
        case min, max, abs, floor, round

        /// The number of its arguments.
        var arity: ClosedRange<Int> {
            switch self {
            case .min, .max: 1...8
            case .abs, .floor, .round: 1...1
            }
        }
    }

    /// A part of an expression.
    indirect enum Term: Sendable, Equatable {
        case number(Double)
        case name(String)
        case negative(Term)
        case combined(Operation, Term, Term)
        case call(Function, [Term])
    }

    /// The source text.
    package let text: String

    let term: Term

    init(text: String, term: Term) { (self.text, self.term) = (text, term) }

    package init(_ number: Int) { self.init(Double(number), "\(number)") }

    init(_ number: Double, _ text: String) { self.init(text: text, term: .number(number)) }

    package var description: String { text }

    /// Evaluates the expression.
    ///
    /// - Parameter lookup: The value of a name; nil if it has none.
    /// - Returns: The value; nil if a name has none, or the result is not finite.
    package func value(_ lookup: (String) -> Double?) -> Double? {
        term.value(lookup).flatMap { $0.isFinite ? $0 : nil }
    }

    /// The value of a constant expression; nil if it contains names.
    package var constant: Double? { value { _ in nil } }
}

extension Expression.Term {
    fileprivate func value(_ lookup: (String) -> Double?) -> Double? {
        switch self {
        case .number(let number): return number
        case .name(let name): return lookup(name)
        case .negative(let term): return term.value(lookup).map { -$0 }
        case .combined(let operation, let left, let right):
            guard let left = left.value(lookup), let right = right.value(lookup) else { return nil }
            switch operation {
            case .plus: return left + right
            case .minus: return left - right
            case .times: return left * right
            case .over: return left / right
            }
        case .call(let function, let terms):
            var values: [Double] = []
            for term in terms {
                guard let value = term.value(lookup) else { return nil }
                values.append(value)
            }
            switch function {
            case .min: return values.min()
            case .max: return values.max()
            case .abs: return values.first.map { Swift.abs($0) }
            case .floor: return values.first?.rounded(.down)
            case .round: return values.first?.rounded()
            }
        }
    }
}
