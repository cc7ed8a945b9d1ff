package import SegueFetch
package import SegueVerification

/// Content on a server, with the expectations for it.
package struct Title: Sendable, Equatable {
    /// The location of the audio-only stream that an app switches to in the background.
    package enum Background: Sendable, Equatable {
        /// The server's own: items of `segue serve` have one, and so do multivariant playlists with an audio-only
        /// variant or rendition.
        ///
        /// There may be none.
        case found
        /// The audio-only variant or rendition of the multivariant playlist, which must have one.
        case audio
        case none
        /// The URL of a playlist.
        case url(String)
    }

    /// A header field of each request to the title's server.
    package struct Header: Sendable, Equatable {
        package let name: String
        package let value: String

        package init(name: String, value: String) { (self.name, self.value) = (name, value) }
    }

    /// The name in reports; unique in the suite.
    package var name: String

    /// A multivariant or media playlist, or a plain file.
    package var url: String

    /// The location of the audio-only stream.
    package var background = Background.found

    /// The path of the source file; nil without one.
    package var source: String?

    /// The changes to the source that do not count as faults.
    package var allowance = ContentAllowance()

    /// The header fields for its server only.
    package var headers: [Header] = []

    package var credential: FetchCredential?

    /// The scenarios and networks that it goes through.
    package var selection = CaseSelection()

    /// The tags that rules and known issues refer to.
    package var tags: [String] = []

    package var budgets: [Budget] = []

    /// The specifications whose requirements fail a case; nil for those of the run.
    package var profile: RequirementProfile?

    /// The location in its list; nil for a title of the command line.
    package var place: SourcePlace?

    /// The texts to remove from reports.
    package var secrets = Secrets()

    package init(name: String, url: String) { (self.name, self.url) = (name, url) }

    /// A URL of the command line.
    ///
    /// Credentials and the query, which may contain a key, are not part of the name.
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
