/// A multivariant playlist (RFC 8216, 4.3.4, where it is called a master playlist): the variants to choose from.
package struct MultivariantPlaylist: Sendable, Equatable {
    /// The version that the playlist declared when it was read; nil when it declared none, or was not read.
    package var declaredVersion: Int?

    /// Whether every segment of every variant can be decoded without those before it.
    package var isIndependent: Bool

    /// Where players are to begin; nil leaves it to them.
    package var start: PlaylistStart?

    /// The variants in order; the first is the one to begin with.
    package var variants: [Variant]

    /// The variants of I-frames alone.
    package var iFrameVariants: [Variant]

    /// The renditions that variants refer to by group.
    package var renditions: [MediaRendition]

    /// What applications may want to know of the presentation, in order.
    package var sessionData: [SessionData]

    /// The ways to decrypt that media playlists use, for clients that load keys before those.
    package var sessionKeys: [MediaKey]

    /// Where clients are told which pathway to take; nil where they choose themselves.
    package var contentSteering: ContentSteering?

    /// The variables that media playlists may import.
    package var variables: [String: String]

    /// A playlist of variants.
    package init(
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
    package func renditions(_ kind: MediaRendition.Kind, inGroup group: String) -> [MediaRendition] {
        renditions.filter { $0.kind == kind && $0.group == group }
    }
}
