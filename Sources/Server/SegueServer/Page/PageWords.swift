import Foundation

/// The words of the page in one language: what stands in `Web/words/TAG.json`.
struct PageWords: Sendable, Equatable {
    /// The words by their keys; those with forms for numbers have a key with the form behind a dot (`titles.one`).
    let texts: [String: String]

    /// The words by their keys.
    init(texts: [String: String]) { self.texts = texts }

    /// Reads a file of words.
    ///
    /// - Throws: A `DecodingError` for anything but an object of texts.
    init(json: [UInt8]) throws { texts = try JSONDecoder().decode([String: String].self, from: Data(json)) }

    /// A text with values in the places that name them in braces; the key itself where there is no such text.
    func text(_ key: String, _ values: [String: String] = [:]) -> String {
        values.reduce(texts[key] ?? key) { $0.replacingOccurrences(of: "{\($1.key)}", with: $1.value) }
    }

    /// A text about a number, in the form that the number takes: `KEY.one` or `KEY.other`.
    ///
    /// What is written here without JavaScript has no other forms; the script asks `Intl.PluralRules`.
    func text(_ key: String, count: Int) -> String {
        let form = count == 1 && texts["\(key).one"] != nil ? "one" : "other"
        return text("\(key).\(form)", ["count": "\(count)"])
    }
}
