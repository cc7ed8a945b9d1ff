internal import Foundation

/// A command line as it may be written down: one line, and without what is secret.
package enum CommandWords {
    /// The words as a shell takes them.
    ///
    /// The credentials and the query's values of addresses are left out, since either may be a key.
    ///
    /// - Parameter arguments: The words, with the program's name first.
    package static func line(_ arguments: [String]) -> String {
        arguments.map { quoted(withoutSecrets($0)) }.joined(separator: " ")
    }

    /// Words that were written down without what is secret, with it again.
    ///
    /// - Parameters:
    ///   - kept: The words as they were written down.
    ///   - given: Words that have the secrets.
    /// - Returns: The words as they were, and those whose secret is not among the given.
    package static func restored(_ kept: [String], from given: [String]) -> (words: [String], missing: [String]) {
        var missing: [String] = []
        let words = kept.map { word in
            guard word.contains("://"), word.contains(hidden) else { return word }
            if let whole = given.first(where: { withoutSecrets($0) == word }) { return whole }
            missing.append(word)
            return word
        }
        return (words, missing)
    }

    /// What stands in a secret's place.
    private static let hidden = "…"

    /// An address without the user and password in it and the values of its query; any other text as it is.
    package static func withoutSecrets(_ text: String) -> String {
        guard let scheme = text.range(of: "://") else { return text }
        var rest = String(text[scheme.upperBound...])
        let place = rest.firstIndex { "/?#".contains($0) } ?? rest.endIndex
        if let at = rest[..<place].lastIndex(of: "@") { rest.replaceSubrange(..<at, with: hidden) }
        guard let query = rest.firstIndex(of: "?") else { return text[..<scheme.upperBound] + rest }
        let end = rest[query...].firstIndex(of: "#") ?? rest.endIndex
        let pairs = rest[rest.index(after: query)..<end].split(separator: "&", omittingEmptySubsequences: false)
        let kept = pairs.map { pair in pair.firstIndex(of: "=").map { pair[...$0] + hidden } ?? hidden[...] }
        return text[..<scheme.upperBound] + rest[...query] + kept.joined(separator: "&") + rest[end...]
    }

    private static func quoted(_ word: String) -> String {
        let isPlain =
            !word.isEmpty
            && word.unicodeScalars.allSatisfy { letter in
                switch letter {
                case "a"..."z", "A"..."Z", "0"..."9": true
                default: letter.value > 0x9F || "-_./:,=+@%…".unicodeScalars.contains(letter)
                }
            }
        return isPlain
            ? word : "'" + word.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''") + "'"
    }
}
