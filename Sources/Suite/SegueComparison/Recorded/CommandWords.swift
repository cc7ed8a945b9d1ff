internal import Foundation

/// A command line in one line, without secrets.
package enum CommandWords {
    /// The words, quoted for a shell.
    ///
    /// Credentials and query values in URLs are replaced, since either may be a key.
    package static func line(_ arguments: [String]) -> String {
        arguments.map { quoted(withoutSecrets($0)) }.joined(separator: " ")
    }

    /// Restores the secrets of recorded words.
    ///
    /// - Parameters:
    ///   - given: Words that contain the secrets.
    /// - Returns: The restored words, and those whose secrets are missing.
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

    /// The placeholder for a secret.
    private static let hidden = "…"

    /// A URL without its credentials and query values; other text is unchanged.
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
