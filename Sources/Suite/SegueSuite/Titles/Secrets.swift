internal import Foundation

/// Texts that no report, log or message may tell: what came from the environment, passwords, keys in URLs.
package struct Secrets: Sendable, Equatable {
    /// Shorter texts stand in too much else to be taken out of it, and are none.
    private static let shortest = 4

    private var words: [String: String] = [:]

    /// None.
    package init() {}

    /// Whether there are none.
    package var isEmpty: Bool { words.isEmpty }

    /// Keeps a text secret.
    ///
    /// - Parameters:
    ///   - name: What is told in its place, in braces.
    package mutating func add(_ text: String, as name: String) {
        guard text.utf8.count >= Secrets.shortest else { return }
        words[text] = name
        // As the query of a URL has it.
        if let coded = text.addingPercentEncoding(
            withAllowedCharacters: .alphanumerics.union(.init(charactersIn: "-._~"))
        ) {
            words[coded] = name
        }
    }

    /// Keeps what another one keeps, too.
    package mutating func add(_ other: Secrets) { words.merge(other.words) { first, _ in first } }

    /// These, and what another one keeps.
    func adding(_ other: Secrets) -> Secrets {
        var all = self
        all.add(other)
        return all
    }

    /// A text without what is secret.
    package func removed(from text: String) -> String {
        var text = text
        // The longer ones first, since they may hold the shorter.
        for (word, name) in words.sorted(by: { ($1.key.utf8.count, $0.key) < ($0.key.utf8.count, $1.key) })
        where text.contains(word) {
            text = text.replacing(word, with: "{\(name)}")
        }
        return text
    }
}
