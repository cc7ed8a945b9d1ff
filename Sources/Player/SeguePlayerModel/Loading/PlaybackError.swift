internal import SegueFetch

/// Why an item failed, or a request did.
package struct PlaybackError: Error, Sendable, Equatable, CustomStringConvertible {
    /// What a code counts in.
    package enum Domain: String, Sendable {
        /// HTTP status codes.
        case http = "HTTP"
        /// Codes of `NSURLErrorDomain`.
        case network = "NSURLErrorDomain"
        /// ``PlaybackError/PlaylistCode``.
        case playlist = "Playlist"
        /// 1: the bytes are not media that can be read. 2: they are other media than the playlist announces.
        case media = "Media"
        /// 1: the platform refused the item.
        case platform = "Platform"
    }

    /// What is wrong with a playlist.
    package enum PlaylistCode: Int, Sendable {
        /// It cannot be read.
        case unreadable = 1
        /// It has no segments.
        case empty = 2
        /// It was expected to grow and does not.
        case stuck = 3
        /// It is encrypted in a way that is of no use.
        case encrypted = 4
        /// No variant can be played.
        case noVariant = 5
        /// It names a playlist where it should name segments.
        case nested = 6
        /// It was loaded again and contradicts what it said before.
        case changed = 7
        /// It no longer has segments that were still to be played.
        case lost = 8
    }

    /// What ``code`` counts in.
    package let domain: Domain

    /// The kind of failure.
    package let code: Int

    /// One line that says what is wrong with what.
    package let message: String

    /// An error.
    package init(_ domain: Domain, _ code: Int, _ message: String) {
        self.domain = domain
        self.code = code
        self.message = message
    }

    /// An error about a playlist.
    init(_ code: PlaylistCode, _ message: String) { self.init(.playlist, code.rawValue, message) }

    package var description: String { "\(domain.rawValue) \(code): \(message)" }
}

extension PlaybackError {
    /// A failure of the network, in the codes that players report.
    init(_ error: FetchError) {
        let code =
            switch error.reason {
            case .badURL: -1000
            case .timedOut: -1001
            case .cannotResolve: -1003
            case .cannotConnect: -1004
            case .untrusted: -1202
            case .connectionLost, .truncated: -1005
            case .tooManyRedirects: -1007
            case .tooLarge: -1103
            case .other: -1
            }
        self.init(.network, code, error.description)
    }
}
