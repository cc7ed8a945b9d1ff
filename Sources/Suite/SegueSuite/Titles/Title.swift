package import SegueFetch
package import SegueVerification

/// Something that a server has to play, and what is to be true of it.
package struct Title: Sendable, Equatable {
    /// Where the sound alone is, which an app switches to in the background.
    package enum Background: Sendable, Equatable {
        /// What the server itself says: an item of `segue serve` has one, and so has a multivariant playlist with a variant
        /// or a rendition of sound alone. Where it says nothing, there is none.
        case found
        /// The variant or rendition of sound alone in the multivariant playlist, which must have one.
        case audio
        /// There is none.
        case none
        /// A playlist's URL.
        case url(String)
    }

    /// A field that is sent with each request to the title's server.
    package struct Header: Sendable, Equatable {
        /// Its name.
        package let name: String
        /// Its value.
        package let value: String

        /// A field.
        package init(name: String, value: String) { (self.name, self.value) = (name, value) }
    }

    /// What it is called in reports; no other title of the suite is called so.
    package var name: String

    /// A multivariant or media playlist, or a plain file.
    package var url: String

    /// Where its sound alone is.
    package var background = Background.found

    /// The path of the file that it was made of; nil where nobody has that.
    package var source: String?

    /// What may have been done to the source without it counting as a fault.
    package var allowance = ContentAllowance()

    /// What is sent with each request to its server, and to no other.
    package var headers: [Header] = []

    /// Who asks.
    package var credential: FetchCredential?

    /// Words that rules and known issues may name.
    package var tags: [String] = []

    /// What its metrics must be.
    package var budgets: [Budget] = []

    /// Where it stands in its list; nil where it stands in none.
    package var place: SourcePlace?

    /// What no report may tell.
    package var secrets = Secrets()

    /// A title with nothing but a place.
    package init(name: String, url: String) { (self.name, self.url) = (name, url) }

    /// A URL that was given by itself.
    ///
    /// Who asks, where the URL says so, is no part of the name, and neither is its query,
    /// which may hold a key.
    package init(url: String) {
        let place = CredentialURL(url)
        self.init(name: String(place.url.prefix { $0 != "?" && $0 != "#" }), url: place.url)
        credential = place.credential
        if let credential { secrets.add(credential.password, as: "password") }
        if let query = place.url.split(separator: "?", maxSplits: 1).dropFirst().first {
            secrets.add(String(query), as: "query")
        }
    }
}
