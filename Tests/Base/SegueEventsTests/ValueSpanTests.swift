import SegueBase
import Testing

@testable import SegueEvents

@Suite struct `Ranges of numbers over time` {
    private static let texts = [
        "a", "-a", "a + b", "a - b", "a * b", "a / b", "b / (a - 3)", "min(a, b, 2)", "max(a, b)", "abs(a - 2)",
        "floor(a)", "round(b)", "(a - b) * (b - a) / 7 + floor(a * b)",
    ]

    @Test(arguments: texts)
    func `the value of an expression is always within its bounds`(text: String) throws {
        let expression = try Expression(text, names: ["a", "b"])
        var random = SeededRandom(seed: 7)
        for _ in 0..<2000 {
            let a = [Double.random(in: -9...9, using: &random), Double.random(in: -9...9, using: &random)]
            let b = [Double.random(in: -9...9, using: &random), Double.random(in: -9...9, using: &random)]
            let span = expression.span { $0 == "a" ? ValueSpan(a[0], a[1]) : ValueSpan(b[0], b[1]) }
            guard case .within(let range) = span else { continue }
            let share = Double.random(in: 0...1, using: &random)
            let value = expression.value { $0 == "a" ? a[0] + (a[1] - a[0]) * share : b[0] + (b[1] - b[0]) * share }
            #expect(value.map { range.lowerBound - 1e-9 <= $0 && $0 <= range.upperBound + 1e-9 } == true)
        }
    }

    @Test func `an expression without a value has no range, and an uncertain one an unknown range`() throws {
        func span(_ text: String, _ lookup: (String) -> ValueSpan) throws -> ValueSpan {
            try Expression(text, names: ["a"]).span(lookup)
        }
        #expect(try span("a + 1") { _ in .nothing } == .nothing)
        #expect(try span("1 / a") { _ in ValueSpan(-1, 1) } == .untold)
        #expect(try span("1 / a") { _ in ValueSpan(1, 2) } == .within(0.5...1))
        #expect(try span("1 / (a - a)") { _ in ValueSpan(3, 3) } == .nothing)
        #expect(try span("a * a") { _ in ValueSpan(1e200, 1e200) } == .untold)
    }

    @Test(arguments: [
        (">= 10", 10.0, 11.0, true), (">= 10", 9, 9.999, false), (">= 10", 9, 10, nil), ("< 10", 9, 9.999, true),
        ("<= 10", 10.001, 11, false), ("> 10", 10, 10, false), ("10", 9.9995, 10.0005, true), ("10", 9, 9.9, false),
        ("!= 10", 9, 9.9, true), ("10 +- 2", 9, 11, true), ("10 +- 2", 9, 13, nil), ("a", 3, 4, nil),
    ])
    func `a comparison holds always, never, or unknown`(
        text: String,
        low: Double,
        high: Double,
        holds: Bool?
    ) throws {
        let comparison = try Comparison(text, names: ["a"])
        #expect(comparison.holds(ValueSpan(low, high), isExact: true) { _ in ValueSpan(3, 4) } == holds)
    }
}
