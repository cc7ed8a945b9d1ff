/// A server's wish to know who asks, as it is put to whoever may tell.
public struct FetchChallenge: Sendable, Equatable {
    /// The URL that was refused.
    public let url: String

    /// What the server calls the part that is protected; empty where it does not say.
    public let realm: String

    /// How the name and the password would be shown.
    public let scheme: FetchCredential.Scheme

    /// How many credentials the server has refused before.
    public let failures: Int

    /// A challenge.
    ///
    /// - Parameters:
    ///   - url: The URL that was refused.
    ///   - realm: What the server calls the part that is protected; empty where it does not say.
    ///   - scheme: How the name and the password would be shown.
    ///   - failures: How many credentials the server has refused before, from 0.
    public init(url: String, realm: String, scheme: FetchCredential.Scheme, failures: Int) {
        (self.url, self.realm, self.scheme, self.failures) = (url, realm, scheme, failures)
    }

    /// The strongest scheme that a refusal offers, with what it calls the realm; nil where none is known.
    package static func offer(
        in headers: [(name: String, value: String)]
    ) -> (scheme: FetchCredential.Scheme, realm: String)? {
        let offers = headers.filter { $0.name == "www-authenticate" }.flatMap { OfferedScheme.all(in: $0.value) }
        for scheme in [FetchCredential.Scheme.digest, .basic] {
            if let offer = offers.first(where: { $0.name == scheme.rawValue }) { return (scheme, offer.realm) }
        }
        return nil
    }
}

/// One of the schemes that a `WWW-Authenticate` field lists (RFC 9110, 11.6.1).
private struct OfferedScheme {
    /// Its name in lower case.
    let name: String
    var realm = ""

    /// All schemes of a field, in which commas separate schemes as well as the parameters of each.
    static func all(in field: String) -> [OfferedScheme] {
        var offers: [OfferedScheme] = []
        for part in parts(of: field) {
            let word = part.prefix { $0 != " " && $0 != "\t" && $0 != "=" }
            var parameter = part
            let rest = part.dropFirst(word.count).drop { $0 == " " || $0 == "\t" }
            if !rest.hasPrefix("=") {
                offers.append(OfferedScheme(name: word.lowercased()))
                parameter = rest
            }
            let sides = parameter.split(separator: "=", maxSplits: 1)
            guard sides.count == 2, let last = offers.indices.last,
                sides[0].trimmed.lowercased() == "realm"
            else { continue }
            offers[last].realm = unquoted(sides[1].trimmed)
        }
        return offers
    }

    /// What stands between commas that are not quoted.
    private static func parts(of field: String) -> [Substring] {
        var (isQuoted, isEscaped) = (false, false)
        return field.split { character in
            defer { isEscaped = isQuoted && character == "\\" && !isEscaped }
            if character == "\"", !isEscaped { isQuoted.toggle() }
            return character == "," && !isQuoted
        }.map(\.trimmed).filter { !$0.isEmpty }
    }

    private static func unquoted(_ text: Substring) -> String {
        guard text.hasPrefix("\"") else { return String(text) }
        var (value, isEscaped) = ("", false)
        for character in text.dropFirst() {
            if !isEscaped, character == "\"" { break }
            isEscaped = !isEscaped && character == "\\"
            if !isEscaped { value.append(character) }
        }
        return value
    }
}

extension Substring {
    /// Without blanks at its ends.
    fileprivate var trimmed: Substring {
        var text = drop { $0 == " " || $0 == "\t" }
        while text.last == " " || text.last == "\t" { text.removeLast() }
        return text
    }
}

/// Tells who asks, when a server wants to know.
public protocol CredentialGiving: AnyObject, Sendable {
    /// The name and the password for a challenge.
    ///
    /// - Parameter challenge: What the server asks, with how many answers it has refused.
    /// - Returns: The credential; nil to give up.
    func credential(for challenge: FetchChallenge) -> FetchCredential?
}
