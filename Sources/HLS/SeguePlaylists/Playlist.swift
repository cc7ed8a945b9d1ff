/// A playlist of either kind.
public enum Playlist: Sendable, Equatable {
    /// A list of segments.
    case media(MediaPlaylist)
    /// A list of variants.
    case multivariant(MultivariantPlaylist)
}

/// What a playlist may be at most; more is refused.
public struct PlaylistLimits: Sendable {
    /// The most bytes.
    public var bytes: Int

    /// The most segments, or variants and renditions together.
    public var entries: Int

    /// The most bytes in one line, variables put in.
    public var lineBytes: Int

    /// Limits; the given ones are far above anything that a person would publish.
    ///
    /// - Parameters:
    ///   - bytes: The most bytes.
    ///   - entries: The most segments, or variants and renditions together.
    ///   - lineBytes: The most bytes in one line, variables put in.
    public init(bytes: Int = 32 << 20, entries: Int = 200_000, lineBytes: Int = 64 << 10) {
        self.bytes = bytes
        self.entries = entries
        self.lineBytes = lineBytes
    }
}

/// Why a text is not a playlist.
public struct PlaylistError: Error, Sendable, Equatable, CustomStringConvertible {
    /// The kinds of trouble.
    public enum Reason: String, Sendable {
        /// It does not begin with `#EXTM3U`.
        case notAPlaylist
        /// A byte order mark, bytes that are not UTF-8, or control characters.
        case badText
        /// A line does not follow its grammar.
        case badLine
        /// Something required is missing.
        case missing
        /// Something may occur only once.
        case repeated
        /// Tags of media and multivariant playlists in one.
        case mixed
        /// A variable is not defined.
        case undefinedVariable
        /// Larger than the limits allow.
        case tooLarge
        /// A version later than this reader knows.
        case unsupportedVersion
    }

    /// The kind of trouble.
    public let reason: Reason

    /// The line that it is in, from 1; nil when it is about the whole.
    public let line: Int?

    /// What is wrong, without the line.
    public let message: String

    /// An error about a line, or about the whole.
    ///
    /// - Parameters:
    ///   - reason: The kind of trouble.
    ///   - line: The line that it is in, from 1; nil when it is about the whole.
    ///   - message: What is wrong, without the line.
    public init(_ reason: Reason, line: Int?, _ message: String) {
        self.reason = reason
        self.line = line
        self.message = message
    }

    /// What is wrong, with the line.
    public var description: String { line.map { "line \($0): \(message)" } ?? message }
}
