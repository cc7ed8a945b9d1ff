/// A multivariant playlist (RFC 8216, 4.3.4, where it is called a master playlist): the variants to choose from.
public struct MultivariantPlaylist: Sendable, Equatable {
    /// The version that the playlist declared when it was read; nil when it declared none, or was not read.
    public var declaredVersion: Int?

    /// Whether every segment of every variant can be decoded without those before it.
    public var isIndependent: Bool

    /// Where players are to begin; nil leaves it to them.
    public var start: PlaylistStart?

    /// The variants in order; the first is the one to begin with.
    public var variants: [Variant]

    /// The variants of I-frames alone.
    public var iFrameVariants: [Variant]

    /// The renditions that variants refer to by group.
    public var renditions: [MediaRendition]

    /// What applications may want to know of the presentation, in order.
    public var sessionData: [SessionData]

    /// The ways to decrypt that media playlists use, for clients that load keys before those.
    public var sessionKeys: [MediaKey]

    /// Where clients are told which pathway to take; nil where they choose themselves.
    public var contentSteering: ContentSteering?

    /// The variables that media playlists may import.
    public var variables: [String: String]

    /// A playlist of variants.
    ///
    /// - Parameters:
    ///   - variants: The variants in order; the first is the one to begin with.
    ///   - iFrameVariants: The variants of I-frames alone.
    ///   - renditions: The renditions that variants refer to by group.
    ///   - isIndependent: Whether every segment of every variant can be decoded without those before it.
    ///   - start: Where players are to begin; nil leaves it to them.
    ///   - variables: The variables that media playlists may import.
    ///   - declaredVersion: The version that the playlist declared when it was read; nil when it declared none, or was
    ///     not read.
    ///   - sessionData: What applications may want to know of the presentation, in order.
    ///   - sessionKeys: The ways to decrypt that media playlists use, for clients that load keys before those.
    ///   - contentSteering: Where clients are told which pathway to take; nil where they choose themselves.
    public init(
        variants: [Variant],
        iFrameVariants: [Variant] = [],
        renditions: [MediaRendition] = [],
        isIndependent: Bool = false,
        start: PlaylistStart? = nil,
        variables: [String: String] = [:],
        declaredVersion: Int? = nil,
        sessionData: [SessionData] = [],
        sessionKeys: [MediaKey] = [],
        contentSteering: ContentSteering? = nil
    ) {
        self.variants = variants
        self.iFrameVariants = iFrameVariants
        self.renditions = renditions
        self.isIndependent = isIndependent
        self.start = start
        self.variables = variables
        self.declaredVersion = declaredVersion
        self.sessionData = sessionData
        self.sessionKeys = sessionKeys
        self.contentSteering = contentSteering
    }

    /// The renditions of a type in a group, in order.
    ///
    /// - Parameters:
    ///   - kind: The type.
    ///   - group: The group's name.
    /// - Returns: The renditions; none where there is no such group.
    public func renditions(_ kind: MediaRendition.Kind, inGroup group: String) -> [MediaRendition] {
        renditions.filter { $0.kind == kind && $0.group == group }
    }
}
