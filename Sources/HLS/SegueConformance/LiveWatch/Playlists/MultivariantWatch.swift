internal import SegueBase
internal import SeguePlaylists

/// Watches a multivariant playlist.
struct MultivariantWatch: Sendable {
    /// The result of a version.
    struct Outcome {
        var breaches: [Breach] = []
        /// The listed URLs; nil to keep the watched playlists.
        var urls: Set<String>?
        /// The URLs that other URLs replace.
        var moved: Set<String> = []
    }

    /// The reload interval.
    ///
    /// No text defines it. It is short enough to detect changes soon, and adds one request to about ten for each media
    /// playlist.
    static let interval = Duration.seconds(30)

    /// The maximum number of compared entries.
    private static let limit = 400

    /// The compared entries.
    private(set) var listed: [ListedPlaylist]
    /// The variables for media playlists.
    private(set) var variables: [String: String]
    /// A version without any earlier URL.
    ///
    /// The next version shows if each client gets its own URLs.
    private var pending: [ListedPlaylist]?
    /// True if each client gets its own URLs, so that versions cannot be compared.
    private(set) var isOfClients = false
    private var mark: Fingerprint
    private var isAmbiguous = false

    init(_ listed: [ListedPlaylist], variables: [String: String], bytes: [UInt8]) {
        self.variables = variables
        self.listed = Array(listed.prefix(Self.limit))
        mark = Fingerprint.of(bytes)
    }

    /// Returns the ambiguous stable IDs of the version, once.
    mutating func ambiguous() -> [Breach] {
        let found = MultivariantChanges.ambiguous(listed)
        defer { isAmbiguous = !found.isEmpty }
        return isAmbiguous ? [] : found
    }

    /// Returns true if a response equals the last version.
    func isSame(_ bytes: [UInt8]) -> Bool { pending == nil && mark == Fingerprint.of(bytes) }

    /// Compares another version with the last one.
    mutating func update(
        _ all: [ListedPlaylist],
        variables: [String: String],
        bytes: [UInt8]
    ) -> Outcome {
        let next = Array(all.prefix(Self.limit))
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
