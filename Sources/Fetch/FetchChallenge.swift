/// A server's wish to know who asks, as it is put to whoever may tell.
package struct FetchChallenge: Sendable, Equatable {
    /// The URL that was refused.
    package let url: String

    /// What the server calls the part that is protected; empty where it does not say.
    package let realm: String

    /// How the name and the password would be shown.
    package let scheme: FetchCredential.Scheme

    /// How many credentials the server has refused before.
    package let failures: Int

    /// The strongest scheme that a refusal asks for; nil where it asks for none that is known.
    static func scheme(of headers: [(name: String, value: String)]) -> FetchCredential.Scheme? {
        let words = headers.filter { $0.name == "www-authenticate" }.map { $0.value.lowercased() }
        func isOffered(_ scheme: String) -> Bool {
            words.contains { $0.hasPrefix(scheme + " ") || $0 == scheme || $0.contains(", \(scheme) ") }
        }
        return isOffered("digest") ? .digest : isOffered("basic") ? .basic : nil
    }

    /// What the headers of a refusal call the realm.
    static func realm(of headers: [(name: String, value: String)]) -> String {
        for (name, value) in headers where name == "www-authenticate" {
            let parts = value.split(separator: "realm=\"", maxSplits: 1, omittingEmptySubsequences: false)
            if parts.count == 2 { return String(parts[1].prefix { $0 != "\"" }) }
        }
        return ""
    }
}

/// Tells who asks, when a server wants to know.
package protocol CredentialGiving: AnyObject, Sendable {
    /// The name and the password for a challenge.
    ///
    /// - Parameter challenge: What the server asks, with how many answers it has refused.
    /// - Returns: The credential; nil to give up.
    func credential(for challenge: FetchChallenge) -> FetchCredential?
}
