/// A playlist of either kind.
public enum Playlist: Sendable, Equatable {
    /// A list of segments.
    case media(MediaPlaylist)
    /// A list of variants.
    case multivariant(MultivariantPlaylist)
}

/// The size limits of the parser.
public struct PlaylistLimits: Sendable {
    /// The maximum number of bytes.
    public var bytes: Int

    /// The maximum number of segments, or of variants and renditions together.
    public var entries: Int

    /// The maximum number of bytes in a line with variables substituted.
    public var lineBytes: Int

    /// Limits; the defaults are far above any real playlist.
    ///
    /// - Parameters:
    ///   - bytes: The maximum number of bytes.
    ///   - entries: The maximum number of segments, or of variants and renditions together.
    ///   - lineBytes: The maximum number of bytes in a line with variables substituted.
    public init(bytes: Int = 32 << 20, entries: Int = 200_000, lineBytes: Int = 64 << 10) {
        self.bytes = bytes
        self.entries = entries
        self.lineBytes = lineBytes
    }
}

/// The reason why a text is not a valid playlist.
public struct PlaylistError: Error, Sendable, Equatable, CustomStringConvertible {
    /// The kind of error.
    public enum Reason: String, Sendable {
        /// The text does not start with `#EXTM3U`.
        case notAPlaylist
        /// A byte order mark, invalid UTF-8, or control characters.
        case badText
        /// A malformed line.
        case badLine
        /// A required line or attribute is missing.
        case missing
        /// A tag or attribute is repeated.
        case repeated
        /// Media and multivariant tags in one playlist.
        case mixed
        /// A reference to an undefined variable.
        case undefinedVariable
        /// A size limit is exceeded.
        case tooLarge
        /// The version is newer than the parser.
        case unsupportedVersion
    }

    /// The kind of error.
    public let reason: Reason

    /// The line, from 1; nil if the error concerns the whole playlist.
    public let line: Int?

    /// The reason without the line.
    public let message: String

    /// An error about a line or about the whole playlist.
    ///
    /// - Parameters:
    ///   - reason: The kind of error.
    ///   - line: The line, from 1; nil if the error concerns the whole playlist.
    ///   - message: The reason without the line.
    public init(_ reason: Reason, line: Int?, _ message: String) {
        self.reason = reason
        self.line = line
        self.message = message
    }

    /// The reason with the line.
    public var description: String { line.map { "line \($0): \(message)" } ?? message }
}
