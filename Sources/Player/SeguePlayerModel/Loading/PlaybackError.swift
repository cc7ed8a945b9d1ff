internal import SegueFetch

/// The reason for which an item or a request failed.
package struct PlaybackError: Error, Sendable, Equatable, CustomStringConvertible {
    /// The meaning of a code.
    package enum Domain: String, Sendable {
        /// HTTP status codes.
        case http = "HTTP"
        /// Codes of `NSURLErrorDomain`.
        case network = "NSURLErrorDomain"
        /// Codes of ``PlaybackError/PlaylistCode``.
        case playlist = "Playlist"
        /// 1: the bytes are not readable media. 2: the media differ from those announced in the playlist. 3: the format
        /// of a file is not supported.
        case media = "Media"
        /// 1: the platform refused the item.
        case platform = "Platform"
        /// Codes of `AVError`.
        case avFoundation = "AVFoundationErrorDomain"
        /// Codes that Apple's platforms do not document.
        case coreMedia = "CoreMediaErrorDomain"
    }

    /// An error of a playlist.
    package enum PlaylistCode: Int, Sendable {
        /// It cannot be parsed.
        case unreadable = 1
        /// It has no segments.
        case empty = 2
        /// It should grow, but does not.
        case stuck = 3
        /// Its encryption is not supported.
        case encrypted = 4
        /// No variant can be played.
        case noVariant = 5
        /// It contains a playlist in place of segments.
        case nested = 6
        /// A reload contradicts the previous version.
        case changed = 7
        /// Segments that were not yet played have left it.
        case lost = 8
    }

    package let domain: Domain

    package let code: Int

    /// A description in one line.
    package let message: String

    package init(_ domain: Domain, code: Int, _ message: String) {
        self.domain = domain
        self.code = code
        self.message = message
    }

    init(_ code: PlaylistCode, _ message: String) { self.init(.playlist, code: code.rawValue, message) }

    package var description: String { "\(domain.rawValue) \(code): \(message)" }
}

extension PlaybackError {
    /// An error of the network, in the codes that players report.
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
        self.init(.network, code: code, error.description)
    }
}
