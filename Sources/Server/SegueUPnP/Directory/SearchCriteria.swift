/// Parsed search criteria (ContentDirectory:1, section 2.5.5).
package struct SearchCriteria: Sendable, Equatable {
    indirect enum Term: Sendable, Equatable {
        case all
        case both(Term, Term)
        case either(Term, Term)
        case exists(ContentProperty, Bool)
        case compare(ContentProperty, Comparison, to: String)
    }

    enum Comparison: String, Sendable, CaseIterable {
        case equal = "="
        case unequal = "!="
        case less = "<"
        case atMost = "<="
        case more = ">"
        case atLeast = ">="
        case contains
        case doesNotContain
        case startsWith
        case derivedFrom = "derivedfrom"
    }

    /// The maximum sizes.
    package enum Limit {
        package static let bytes = 4096
        /// The number of words, operators, brackets, and values.
        package static let words = 256
        /// The nesting depth of brackets.
        package static let depth = 16
    }

    let term: Term

    /// Parses criteria.
    ///
    /// - Throws: ``SOAPFault`` with 708 for malformed criteria or a property that is not searchable.
    package init(_ text: String) throws(SOAPFault) {
        guard text.utf8.count <= Limit.bytes else { throw .badSearchCriteria }
        var reader = Reader(words: try Self.words(text))
        term = try reader.expression(depth: 0)
        guard reader.words.isEmpty else { throw .badSearchCriteria }
    }

    package func matches(_ entry: ContentEntry) -> Bool { Self.matches(entry, term) }

    private static func matches(_ entry: ContentEntry, _ term: Term) -> Bool {
        switch term {
        case .all: true
        case .both(let one, let other): matches(entry, one) && matches(entry, other)
        case .either(let one, let other): matches(entry, one) || matches(entry, other)
        case .exists(let property, let isWanted): (entry.value(of: property) != nil) == isWanted
        case .compare(let property, let comparison, to: let wanted):
            compare(entry.value(of: property), comparison, to: wanted)
        }
    }

    /// Compares without regard to case; a missing value is neither equal nor ordered.
    private static func compare(_ value: String?, _ comparison: Comparison, to wanted: String) -> Bool {
        guard let value = value?.lowercased() else { return comparison == .unequal || comparison == .doesNotContain }
        switch comparison {
        case .equal: return value == wanted
        case .unequal: return value != wanted
        case .less: return value < wanted
        case .atMost: return value <= wanted
        case .more: return value > wanted
        case .atLeast: return value >= wanted
        case .contains: return contains(value, wanted)
        case .doesNotContain: return !contains(value, wanted)
        case .startsWith: return value.hasPrefix(wanted)
        case .derivedFrom: return value == wanted || value.hasPrefix(wanted + ".")
        }
    }

    private static func contains(_ text: String, _ part: String) -> Bool {
        let (text, part) = (Array(text.utf8), Array(part.utf8))
        guard let first = part.first else { return true }
        guard text.count >= part.count else { return false }
        return (0...(text.count - part.count)).contains { text[$0] == first && text[$0...].starts(with: part) }
    }

    /// A word, or the text of a quoted value.
    private enum Word: Equatable {
        case plain(String)
        case quoted(String)
    }

    private static func words(_ text: String) throws(SOAPFault) -> [Word] {
        var words: [Word] = []
        var rest = Substring(text)
        while let character = rest.first {
            guard words.count < Limit.words else { throw .badSearchCriteria }
            if character.isWhitespace {
                rest.removeFirst()
            } else if character == "\"" {
                rest.removeFirst()
                words.append(.quoted(try quoted(&rest)))
            } else if character == "(" || character == ")" {
                words.append(.plain(String(rest.removeFirst())))
            } else if "=!<>".contains(character) {
                let sign = rest.prefix { "=!<>".contains($0) }
                words.append(.plain(String(sign)))
                rest = rest.dropFirst(sign.count)
            } else {
                let word = rest.prefix { !$0.isWhitespace && !"()\"=!<>".contains($0) }
                words.append(.plain(String(word)))
                rest = rest.dropFirst(word.count)
            }
        }
        return words
    }

    /// Parses a quoted value after its first quotation mark.
    private static func quoted(_ rest: inout Substring) throws(SOAPFault) -> String {
        var value = ""
        while let character = rest.popFirst() {
            if character == "\"" { return value }
            guard character == "\\" else {
                value.append(character)
                continue
            }
            guard let escaped = rest.popFirst() else { break }
            value.append(escaped)
        }
        throw .badSearchCriteria
    }

    private struct Reader {
        var words: ArraySlice<Word>

        init(words: [Word]) { self.words = words[...] }

        /// Parses terms joined by `or`, which binds less tightly than `and`.
        mutating func expression(depth: Int) throws(SOAPFault) -> Term {
            var term = try conjunction(depth: depth)
            while take("or") { term = .either(term, try conjunction(depth: depth)) }
            return term
        }

        private mutating func conjunction(depth: Int) throws(SOAPFault) -> Term {
            var term = try primary(depth: depth)
            while take("and") { term = .both(term, try primary(depth: depth)) }
            return term
        }

        private mutating func primary(depth: Int) throws(SOAPFault) -> Term {
            if take("(") {
                guard depth < Limit.depth else { throw .badSearchCriteria }
                let term = try expression(depth: depth + 1)
                guard take(")") else { throw .badSearchCriteria }
                return term
            }
            if depth == 0, words.count == 1, take("*") { return .all }
            guard case .plain(let name)? = words.popFirst(), let property = ContentProperty(rawValue: name),
                ContentProperty.searched.contains(property), case .plain(let sign)? = words.popFirst(),
                let value = words.popFirst()
            else { throw .badSearchCriteria }
            switch (sign.lowercased(), value) {
            case ("exists", .plain("true")): return .exists(property, true)
            case ("exists", .plain("false")): return .exists(property, false)
            case (let sign, .quoted(let value)):
                guard let comparison = Comparison.allCases.first(where: { $0.rawValue.lowercased() == sign }) else {
                    throw .badSearchCriteria
                }
                return .compare(property, comparison, to: value.lowercased())
            default: throw .badSearchCriteria
            }
        }

        private mutating func take(_ word: String) -> Bool {
            guard case .plain(let next)? = words.first, next.lowercased() == word else { return false }
            words.removeFirst()
            return true
        }
    }
}
