import Foundation

/// The words of the page in one language, from `Web/words/TAG.json`.
struct PageWords: Sendable, Equatable {
    /// The words by key; a word with plural forms has a key for each form (`titles.one`).
    let texts: [String: String]

    init(texts: [String: String]) { self.texts = texts }

    /// Reads a file of words.
    ///
    /// - Throws: A `DecodingError` if the file is not an object of texts.
    init(json: [UInt8]) throws { texts = try JSONDecoder().decode([String: String].self, from: Data(json)) }

    /// Returns a text with values in its placeholders (`{name}`); the key if there is no such text.
    func text(_ key: String, _ values: [String: String] = [:]) -> String {
        values.reduce(texts[key] ?? key) { $0.replacingOccurrences(of: "{\($1.key)}", with: $1.value) }
    }

    /// Returns a text about a number in its plural form: `KEY.one` or `KEY.other`.
    ///
    /// The languages of the page need no other forms without JavaScript; the script uses `Intl.PluralRules`.
    func text(_ key: String, count: Int) -> String {
        let form = count == 1 && texts["\(key).one"] != nil ? "one" : "other"
        return text("\(key).\(form)", ["count": "\(count)"])
    }
}
