internal import SegueBase
internal import SeguePlaylists

/// Follows a multivariant playlist over its versions.
struct MultivariantWatch: Sendable {
    /// What comes of a version.
    struct Outcome {
        var breaches: [Breach] = []
        /// The URLs that are listed now; nil where nothing is to change for it.
        var urls: Set<String>?
        /// The URLs that are listed no longer, as others are listed in their place.
        var moved: Set<String> = []
    }

    /// How long after an answer it is asked for again.
    ///
    /// No text asks players for that, and a steering manifest is asked for
    /// every five minutes by default; this tells a change soon, and is one request among some ten for each playlist.
    static let every = Duration.seconds(30)

    /// The most playlists that are compared.
    private static let most = 400

    /// What is listed, as far as it is compared.
    private(set) var listed: [ListedPlaylist]
    /// The variables that media playlists may import.
    private(set) var variables: [String: String]
    /// A version without any URL of the one before: the next one tells whether each client gets its own.
    private var pending: [ListedPlaylist]?
    /// Whether each client gets its own URLs, so that nothing is to be learned from the next version.
    private(set) var isOfClients = false
    private var mark: Fingerprint
    private var isAmbiguous = false

    /// The first version.
    init(_ listed: [ListedPlaylist], _ variables: [String: String], _ bytes: [UInt8]) {
        self.variables = variables
        self.listed = Array(listed.prefix(Self.most))
        mark = Fingerprint.of(bytes)
    }

    /// What the version has wrong in itself, told once.
    mutating func ambiguous() -> [Breach] {
        let found = MultivariantChanges.ambiguous(listed)
        defer { isAmbiguous = !found.isEmpty }
        return isAmbiguous ? [] : found
    }

    /// Whether an answer is the version that was had last.
    func isSame(_ bytes: [UInt8]) -> Bool { pending == nil && mark == Fingerprint.of(bytes) }

    /// Takes another version.
    mutating func take(
        _ all: [ListedPlaylist],
        _ variables: [String: String],
        _ bytes: [UInt8]
    ) -> Outcome {
        let next = Array(all.prefix(Self.most))
        if MultivariantChanges.areOthers(listed, next) {
            guard let former = pending else {
                pending = next
                return Outcome()
            }
            if MultivariantChanges.areOthers(former, next) {
                isOfClients = true
                return Outcome()
            }
        }
        pending = nil
        mark = Fingerprint.of(bytes)
        let changes = MultivariantChanges(from: listed, to: next)
        (listed, self.variables) = (next, variables)
        let found = changes.breaches.isEmpty ? ambiguous() : changes.breaches
        return Outcome(breaches: found, urls: Set(all.map(\.url)), moved: changes.moved)
    }
}
