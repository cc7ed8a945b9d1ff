/// An authentication challenge of a server.
public struct FetchChallenge: Sendable, Equatable {
    /// The URL that was refused.
    public let url: String

    /// The server's name for the protected area; empty if it gives none.
    public let realm: String

    /// The authentication scheme.
    public let scheme: FetchCredential.Scheme

    /// The number of credentials that the server has refused before.
    public let failures: Int

    /// Creates a challenge.
    ///
    /// - Parameters:
    ///   - url: The URL that was refused.
    ///   - realm: The server's name for the protected area; empty if it gives none.
    ///   - scheme: The strongest authentication scheme that the server offers.
    ///   - failures: The number of credentials that the server has refused before.
    public init(url: String, realm: String, scheme: FetchCredential.Scheme, failures: Int) {
        (self.url, self.realm, self.scheme, self.failures) = (url, realm, scheme, failures)
    }

    /// The strongest scheme in a refusal, with its realm; nil if none is supported.
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

/// A scheme in a `WWW-Authenticate` field (RFC 9110, 11.6.1).
private struct OfferedScheme {
    /// The name in lower case.
    let name: String
    var realm = ""

    /// Parses all schemes of a field, in which commas separate both schemes and parameters.
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

    /// Splits a field at commas outside of quotes.
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
    /// The text without surrounding blanks.
    fileprivate var trimmed: Substring {
        var text = drop { $0 == " " || $0 == "\t" }
        while text.last == " " || text.last == "\t" { text.removeLast() }
        return text
    }
}

/// A provider of credentials for servers that require authentication.
public protocol CredentialGiving: AnyObject, Sendable {
    /// Returns the credential for a challenge.
    ///
    /// - Parameter challenge: The challenge, with the number of refused credentials.
    /// - Returns: The credential; nil to give up.
    func credential(for challenge: FetchChallenge) -> FetchCredential?
}
