/// A sentence for people with values in it, which can be translated.
///
/// The English sentence, with `{1}`, `{2}`, and so on in place of its values, is the key of its translations. A literal
/// with interpolations becomes such a sentence: `"\(path): the file does not exist"` has the key
/// `{1}: the file does not exist`.
package struct ErrorSentence: Sendable, Hashable {
    fileprivate enum Value: Sendable, Hashable {
        case text(String)
        case sentence(ErrorSentence)
    }

    /// The key of the translations.
    package let key: String
    /// The English sentence with places for the values.
    private let template: String
    private let values: [Value]

    private init(key: String, template: String, values: [Value]) {
        (self.key, self.template, self.values) = (key, template, values)
    }

    /// Creates a sentence that is not translated.
    package init(verbatim text: String) { self.init(text, translatedAs: "{1}") }

    /// Creates an English sentence whose translations contain it as their value `{1}`.
    package init(_ text: String, translatedAs key: String) {
        self.init(key: key, template: "{1}", values: [.text(text)])
    }

    /// The English sentence.
    package var text: String { text(in: [:]) }

    /// Returns the sentence in the language of these translations, or in English if they lack it.
    package func text(in translations: [String: String]) -> String {
        var text = ""
        var rest = (translations[key] ?? template)[...]
        while let brace = rest.firstIndex(of: "{") {
            text += rest[..<brace]
            rest = rest[brace...]
            let digits = rest.dropFirst().prefix { $0.isASCII && $0.isNumber }
            guard let number = Int(digits), values.indices.contains(number - 1), rest[digits.endIndex...].first == "}"
            else {
                text.append(rest.removeFirst())
                continue
            }
            switch values[number - 1] {
            case .text(let value): text += value
            case .sentence(let sentence): text += sentence.text(in: translations)
            }
            rest = rest[digits.endIndex...].dropFirst()
        }
        return text + rest
    }
}

extension ErrorSentence: ExpressibleByStringInterpolation {
    /// Collects the parts of a literal.
    package struct StringInterpolation: StringInterpolationProtocol {
        fileprivate var template = ""
        fileprivate var values: [ErrorSentence.Value] = []

        package init(literalCapacity: Int, interpolationCount: Int) { template.reserveCapacity(literalCapacity) }

        package mutating func appendLiteral(_ literal: String) { template += literal }

        /// Adds a sentence that is translated, too.
        package mutating func appendInterpolation(_ sentence: ErrorSentence) { add(.sentence(sentence)) }

        package mutating func appendInterpolation<Value>(_ value: Value) { add(.text("\(value)")) }

        private mutating func add(_ value: ErrorSentence.Value) {
            values.append(value)
            template += "{\(values.count)}"
        }
    }

    package init(stringLiteral text: String) { self.init(key: text, template: text, values: []) }

    package init(stringInterpolation parts: StringInterpolation) {
        self.init(key: parts.template, template: parts.template, values: parts.values)
    }
}
