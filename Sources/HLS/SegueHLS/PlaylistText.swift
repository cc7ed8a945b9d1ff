internal import SegueConformance
public import SeguePlaylists

/// A playlist as a server sends it, with its findings.
///
/// ```swift
/// let playlist = PlaylistText(body)
/// #expect(playlist.findings.isEmpty)
/// #expect(playlist.media?.segments.count == 6)
/// ```
///
/// Any text is accepted. For a text that the strict parser rejects, ``playlist`` is nil, and the findings state the
/// reasons.
public struct PlaylistText: Sendable {
    /// The URL of the playlist.
    public let url: String

    private let document: PlaylistDocument

    /// A playlist from text.
    ///
    /// - Parameters:
    ///   - text: The text of the playlist.
    ///   - url: The URL, for variables from its query and for the places of findings.
    ///   - variables: The variables of the multivariant playlist (`EXT-X-DEFINE` with `IMPORT`); nil if none names this
    ///     playlist.
    public init(_ text: String, url: String = "playlist.m3u8", importing variables: [String: String]? = nil) {
        self.init(bytes: Array(text.utf8), url: url, importing: variables)
    }

    /// A playlist from the bytes of a response.
    ///
    /// - Parameters:
    ///   - bytes: The bytes after content decoding.
    ///   - url: The URL, for variables from its query and for the places of findings.
    ///   - variables: The variables of the multivariant playlist (`EXT-X-DEFINE` with `IMPORT`); nil if none names this
    ///     playlist.
    public init(bytes: [UInt8], url: String = "playlist.m3u8", importing variables: [String: String]? = nil) {
        self.url = url
        document = PlaylistDocument(url: url, bytes: bytes, importing: variables)
    }

    /// The parsed playlist; nil if the strict parser rejects it.
    public var playlist: Playlist? { document.playlist }

    /// The media playlist; nil for another kind.
    public var media: MediaPlaylist? { document.media }

    /// The multivariant playlist; nil for another kind.
    public var multivariant: MultivariantPlaylist? { document.multivariant }

    /// The error of the strict parser, with the line; nil if it accepts the text.
    public var refusal: PlaylistError? { document.refusal }

    /// The findings by RFC 8216 and the draft of its successor, in the order of discovery.
    ///
    /// ``StreamCheck`` also checks the segments.
    public var findings: [Finding] { findings(of: .rfc) }

    /// Returns the findings by the texts of a profile.
    ///
    /// - Parameter profile: The texts that count; `.all` includes Apple's authoring specification.
    /// - Returns: The findings in the order of discovery.
    public func findings(of profile: Profile) -> [Finding] {
        let broken =
            document.multivariant != nil || document.namesVariants
            ? Validator.findings(MultivariantSubject(document: document))
            : Validator.findings(MediaSubject(document: document))
        return Finding.all(broken.map { ($0, nil) }, in: profile)
    }
}

extension Playlist {
    /// The findings in the written playlist by RFC 8216 and the draft of its successor.
    public var findings: [Finding] { PlaylistText(text).findings }
}

extension MediaPlaylist {
    /// The findings in the written playlist by RFC 8216 and the draft of its successor.
    public var findings: [Finding] { PlaylistText(text).findings }
}

extension MultivariantPlaylist {
    /// The findings in the written playlist by RFC 8216 and the draft of its successor.
    public var findings: [Finding] { PlaylistText(text).findings }
}
