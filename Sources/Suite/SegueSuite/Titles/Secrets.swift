internal import Foundation

/// Texts that must not appear in reports, logs, or messages: values of the environment, passwords, and keys in URLs.
package struct Secrets: Sendable, Equatable {
    /// The minimum length of a secret; shorter texts occur in too much else to be removed.
    private static let shortest = 4

    private var words: [String: String] = [:]

    package init() {}

    package var isEmpty: Bool { words.isEmpty }

    /// Adds a secret.
    ///
    /// `name` is the placeholder, shown in braces.
    package mutating func add(_ text: String, as name: String) {
        guard text.utf8.count >= Secrets.shortest else { return }
        words[text] = name
        // The form in the query of a URL.
        if let coded = text.addingPercentEncoding(
            withAllowedCharacters: .alphanumerics.union(.init(charactersIn: "-._~"))
        ) {
            words[coded] = name
        }
    }

    /// Adds all secrets of another set.
    package mutating func add(_ other: Secrets) { words.merge(other.words) { first, _ in first } }

    /// The union with another set.
    func adding(_ other: Secrets) -> Secrets {
        var all = self
        all.add(other)
        return all
    }

    /// A text with secrets replaced by placeholders.
    package func removed(from text: String) -> String {
        var text = text
        // Longer secrets come first, since they may contain shorter ones.
        for (word, name) in words.sorted(by: { ($1.key.utf8.count, $0.key) < ($0.key.utf8.count, $1.key) })
        where text.contains(word) {
            text = text.replacing(word, with: "{\(name)}")
        }
        return text
    }
}
