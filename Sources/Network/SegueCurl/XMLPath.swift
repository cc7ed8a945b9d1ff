/// A location path of XPath 1.0 in abbreviated syntax, with predicates.
///
/// Names are compared as written, with their prefixes; namespaces are not resolved.
struct XMLPath {
    /// An error in an expression.
    struct Wrong: Error {
        let reason: String
    }

    indirect enum Expression {
        case path(isAbsolute: Bool, [Step])
        case text(String)
        case number(Double)
        case call(String, [Expression])
        case binary(String, Expression, Expression)
    }

    enum Test {
        case name(String)
        case any
        case text
        case attribute(String?)
        case itself
        case parent
        /// The meaning of `//`: the node and its descendant elements.
        case descendants
    }

    struct Step {
        let test: Test
        var predicates: [Expression] = []
    }

    let expression: Expression

    /// Parses an expression.
    ///
    /// - Throws: ``Wrong`` for any other syntax.
    init(_ text: String) throws(Wrong) {
        var reader = Reader(rest: text[...], depth: 0)
        expression = try reader.path()
        reader.space()
        guard reader.rest.isEmpty else { throw Wrong(reason: "unexpected '\(reader.rest)'") }
    }

    /// A recursive-descent parser of expressions.
    private struct Reader {
        var rest: Substring
        var depth: Int

        mutating func space() { rest = rest.drop { $0.isWhitespace } }

        mutating func take(_ text: String) -> Bool {
            space()
            guard rest.hasPrefix(text) else { return false }
            rest = rest.dropFirst(text.count)
            return true
        }

        mutating func name() -> String? {
            space()
            guard let first = rest.first, first.isLetter || first == "_" else { return nil }
            let name = rest.prefix { $0.isLetter || $0.isNumber || "_-.:".contains($0) }
            rest = rest.dropFirst(name.count)
            return String(name)
        }

        mutating func path() throws(Wrong) -> Expression {
            var steps: [Step] = []
            var isAbsolute = false
            if take("//") {
                isAbsolute = true
                steps.append(Step(test: .descendants))
            } else if take("/") {
                isAbsolute = true
            }
            while true {
                steps.append(try step())
                if take("//") { steps.append(Step(test: .descendants)) } else if !take("/") { break }
            }
            return .path(isAbsolute: isAbsolute, steps)
        }

        private mutating func step() throws(Wrong) -> Step {
            if take("..") { return Step(test: .parent) }
            if take(".") { return Step(test: .itself) }
            var step: Step
            if take("@") {
                step = Step(test: .attribute(take("*") ? nil : try required()))
            } else if take("*") {
                step = Step(test: .any)
            } else if take("text()") {
                step = Step(test: .text)
            } else {
                step = Step(test: .name(try required()))
            }
            while take("[") {
                depth += 1
                guard depth < 20 else { throw Wrong(reason: "predicates are nested too deeply") }
                step.predicates.append(try either())
                depth -= 1
                guard take("]") else { throw Wrong(reason: "']' is missing before '\(rest)'") }
            }
            return step
        }

        private mutating func required() throws(Wrong) -> String {
            guard let name = name() else { throw Wrong(reason: "a name is missing before '\(rest)'") }
            return name
        }

        private mutating func word(_ word: String) -> Bool {
            let before = rest
            if name() == word { return true }
            rest = before
            return false
        }

        private mutating func either() throws(Wrong) -> Expression {
            var left = try both()
            while word("or") { left = .binary("or", left, try both()) }
            return left
        }

        private mutating func both() throws(Wrong) -> Expression {
            var left = try comparison()
            while word("and") { left = .binary("and", left, try comparison()) }
            return left
        }

        private mutating func comparison() throws(Wrong) -> Expression {
            let left = try operand()
            for sign in ["!=", "<=", ">=", "=", "<", ">"] where take(sign) { return .binary(sign, left, try operand()) }
            return left
        }

        private mutating func operand() throws(Wrong) -> Expression {
            space()
            if let quote = rest.first, quote == "'" || quote == "\"" {
                let text = rest.dropFirst().prefix { $0 != quote }
                guard rest.count > text.count + 1 else { throw Wrong(reason: "a quote has no end") }
                rest = rest.dropFirst(text.count + 2)
                return .text(String(text))
            }
            if let first = rest.first, first.isASCII, first.isNumber {
                let digits = rest.prefix { $0.isASCII && ($0.isNumber || $0 == ".") }
                rest = rest.dropFirst(digits.count)
                guard let number = Double(digits) else { throw Wrong(reason: "'\(digits)' is not a number") }
                return .number(number)
            }
            let calls = ["last": 0, "position": 0, "name": 0, "contains": 2, "starts-with": 2, "not": 1, "count": 1]
            for (call, count) in calls where take(call + "(") {
                var arguments: [Expression] = []
                while arguments.count < count {
                    arguments.append(try either())
                    guard arguments.count == count || take(",") else {
                        throw Wrong(reason: "\(call)() takes \(count) arguments")
                    }
                }
                guard take(")") else { throw Wrong(reason: "\(call)() takes \(count) arguments") }
                return .call(call, arguments)
            }
            return try path()
        }
    }
}
