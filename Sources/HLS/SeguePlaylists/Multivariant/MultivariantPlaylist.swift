/// A multivariant playlist (in RFC 8216, 4.3.4, a master playlist): a list of variants.
public struct MultivariantPlaylist: Sendable, Equatable {
    /// The declared version of a parsed playlist; nil if it declared none or was not parsed.
    public var declaredVersion: Int?

    /// True if all segments of all variants decode without earlier ones.
    public var isIndependent: Bool

    /// The start position; nil leaves it to the player.
    public var start: PlaylistStart?

    /// The variants in order; players start with the first one.
    public var variants: [Variant]

    /// The I-frame variants.
    public var iFrameVariants: [Variant]

    /// The renditions, by group.
    public var renditions: [MediaRendition]

    /// The session data in order.
    public var sessionData: [SessionData] = []

    /// The keys of media playlists, for clients that preload keys.
    public var sessionKeys: [MediaKey] = []

    /// The content steering; nil without steering.
    public var contentSteering: ContentSteering?

    /// The variables that media playlists may import.
    public var variables: [String: String] = [:]

    /// A playlist of variants; the other tags are set as properties.
    ///
    /// - Parameters:
    ///   - variants: The variants in order; players start with the first one.
    ///   - iFrameVariants: The variants of I-frames, for trick play.
    ///   - renditions: The renditions, by group.
    ///   - isIndependent: True if all segments of all variants decode without earlier ones.
    public init(
        variants: [Variant],
        iFrameVariants: [Variant] = [],
        renditions: [MediaRendition] = [],
        isIndependent: Bool = false
    ) {
        self.variants = variants
        self.iFrameVariants = iFrameVariants
        self.renditions = renditions
        self.isIndependent = isIndependent
    }

    /// Returns the renditions of a kind in a group, in order.
    ///
    /// - Parameters:
    ///   - kind: The kind of media.
    ///   - group: The group that a variant refers to (GROUP-ID).
    /// - Returns: The renditions; empty if the group does not exist.
    public func renditions(_ kind: MediaRendition.Kind, inGroup group: String) -> [MediaRendition] {
        renditions.filter { $0.kind == kind && $0.group == group }
    }
}
