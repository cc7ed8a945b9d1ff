internal import SegueConformance
public import SeguePlaylists

/// A playlist as a server sends it: what it says, and what is wrong with it.
///
/// ```swift
/// let playlist = PlaylistText(body)
/// #expect(playlist.findings.isEmpty)
/// #expect(playlist.media?.segments.count == 6)
/// ```
///
/// Any text is one. What no parser takes has no ``playlist``, and findings that say why.
public struct PlaylistText: Sendable {
    /// Where it came from.
    public let url: String

    private let document: PlaylistDocument

    /// A playlist from its text.
    ///
    /// - Parameters:
    ///   - text: The text.
    ///   - url: Where it came from, for variables that its query defines and for what findings name.
    ///   - variables: Those of the multivariant playlist that it was found in (`EXT-X-DEFINE` with `IMPORT`); nil where it
    ///     was found in none.
    public init(_ text: String, url: String = "playlist.m3u8", importing variables: [String: String]? = nil) {
        self.init(bytes: Array(text.utf8), url: url, importing: variables)
    }

    /// A playlist from the bytes of a response.
    ///
    /// - Parameters:
    ///   - bytes: The bytes, decoded where HTTP encoded them.
    ///   - url: Where it came from, for variables that its query defines and for what findings name.
    ///   - variables: Those of the multivariant playlist that it was found in (`EXT-X-DEFINE` with `IMPORT`); nil where it
    ///     was found in none.
    public init(bytes: [UInt8], url: String = "playlist.m3u8", importing variables: [String: String]? = nil) {
        self.url = url
        document = PlaylistDocument(url: url, bytes: bytes, importing: variables)
    }

    /// The playlist that the text says; nil where a strict parser refuses it.
    public var playlist: Playlist? { document.playlist }

    /// The media playlist; nil where it is none.
    public var media: MediaPlaylist? { document.media }

    /// The multivariant playlist; nil where it is none.
    public var multivariant: MultivariantPlaylist? { document.multivariant }

    /// Why a strict parser refuses it, with the line; nil where it does not.
    public var refusal: PlaylistError? { document.refusal }

    /// What RFC 8216 and its successor's draft find wrong with the text, in the order in which it was found.
    ///
    /// Whether its segments are what it says of them, ``StreamCheck`` tells.
    public var findings: [Finding] { findings(of: .rfc) }

    /// What the texts that count find wrong with it.
    ///
    /// - Parameter profile: The texts; `.all` has Apple's authoring specification count besides.
    /// - Returns: The findings, in the order in which they were found.
    public func findings(of profile: Profile) -> [Finding] {
        let broken =
            document.multivariant != nil || document.namesVariants
            ? Validator.findings(MultivariantSubject(document: document))
            : Validator.findings(MediaSubject(document: document))
        return Finding.all(broken.map { ($0, nil) }, in: profile)
    }
}

extension Playlist {
    /// What RFC 8216 and its successor's draft find wrong with the playlist as it is written out.
    public var findings: [Finding] { PlaylistText(text).findings }
}

extension MediaPlaylist {
    /// What RFC 8216 and its successor's draft find wrong with the playlist as it is written out.
    public var findings: [Finding] { PlaylistText(text).findings }
}

extension MultivariantPlaylist {
    /// What RFC 8216 and its successor's draft find wrong with the playlist as it is written out.
    public var findings: [Finding] { PlaylistText(text).findings }
}
