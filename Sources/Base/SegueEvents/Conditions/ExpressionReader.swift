internal import SegueData

extension Expression {
    /// Reads an expression such as `duration / 3`, `min(20, duration - 5)`, or `-1.5`.
    ///
    /// - Throws: ``ExpressionError`` for an invalid text.
    package init(_ text: String, names: Set<String>) throws(ExpressionError) {
        var reader = ExpressionReader(text: text, names: names)
        self.init(text: text, term: try reader.whole())
    }
}

package struct ExpressionError: Error, Sendable, Equatable, CustomStringConvertible {
    /// The message, as a continuation of the name of the key.
    package let description: String
}

/// A recursive-descent parser of expressions.
private struct ExpressionReader {
    private static let longest = 200
    private static let deepest = 20

    private let text: String
    private let names: Set<String>
    private var rest: Substring
    private var depth = 0

    init(text: String, names: Set<String>) {
        (self.text, self.names) = (text, names)
        rest = text[...]
    }

    mutating func whole() throws(ExpressionError) -> Expression.Term {
        guard text.utf8.count <= Self.longest else { throw error("is longer than \(Self.longest) letters") }
        let term = try sum()
        guard rest.isEmpty else { throw error("\(rest) is left after the expression") }
        return term
    }

    private func error(_ what: String) -> ExpressionError {
        ExpressionError(
            description: "is \(text): \(what); write, for example, 12, duration / 3, or min(20, duration - 5)"
        )
    }

    private mutating func skipSpace() { rest = rest.drop { $0 == " " } }

    /// Consumes one of some characters.
    private mutating func take(_ wanted: [Character]) -> Character? {
        skipSpace()
        guard let first = rest.first, wanted.contains(first) else { return nil }
        rest.removeFirst()
        skipSpace()
        return first
    }

    private mutating func sum() throws(ExpressionError) -> Expression.Term {
        depth += 1
        defer { depth -= 1 }
        guard depth <= Self.deepest else { throw error("parentheses are nested too deeply") }
        var term = try product()
        while let sign = take(["+", "-"]), let operation = Expression.Operation(rawValue: sign) {
            term = .combined(operation, term, try product())
        }
        return term
    }

    private mutating func product() throws(ExpressionError) -> Expression.Term {
        var term = try factor()
        while let sign = take(["*", "/"]), let operation = Expression.Operation(rawValue: sign) {
            term = .combined(operation, term, try factor())
        }
        return term
    }

    private mutating func factor() throws(ExpressionError) -> Expression.Term {
        if take(["-"]) != nil { return .negative(try factor()) }
        if take(["("]) != nil {
            let term = try sum()
            guard take([")"]) != nil else { throw error("a parenthesis is not closed") }
            return term
        }
        skipSpace()
        let digits = rest.prefix { $0.isASCII && ($0.isNumber || $0 == ".") }
        if !digits.isEmpty {
            guard let number = Double(digits) else { throw error("\(digits) is not a number") }
            rest = rest.dropFirst(digits.count)
            return .number(number)
        }
        let word = String(rest.prefix { $0.isASCII && ($0.isLetter || $0.isNumber) })
        guard !word.isEmpty else {
            throw error(rest.first.map { "\($0) is in the place of a value" } ?? "a value is missing")
        }
        rest = rest.dropFirst(word.count)
        guard take(["("]) != nil else {
            guard names.contains(word) else {
                throw ExpressionError(description: UnknownName(word, among: Array(names)).description)
            }
            return .name(word)
        }
        return try call(word)
    }

    private mutating func call(_ word: String) throws(ExpressionError) -> Expression.Term {
        guard let function = Expression.Function(rawValue: word) else {
            let known = Expression.Function.allCases.map(\.rawValue)
            throw ExpressionError(description: UnknownName(word, among: known).description)
        }
        var terms = [try sum()]
        while take([","]) != nil { terms.append(try sum()) }
        guard take([")"]) != nil else { throw error("a parenthesis is not closed") }
        guard function.arity.contains(terms.count) else { throw error("\(word) takes another number of values") }
        return .call(function, terms)
    }
}
