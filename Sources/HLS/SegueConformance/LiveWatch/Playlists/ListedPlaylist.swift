internal import SegueBase
internal import SeguePlaylists

/// An entry of a multivariant playlist.
struct ListedPlaylist: Sendable, Hashable {
    enum Kind: Sendable, Hashable { case variant, iFrames, rendition }

    let kind: Kind
    /// The absolute URL.
    let url: String
    /// The `STABLE-VARIANT-ID` or `STABLE-RENDITION-ID`.
    let stableID: String?
    /// The description of its content by its attributes.
    let content: String
    /// The other distinguishing attributes: bit rate, groups, and pathway.
    let place: String
    /// The declared closed captions.
    let captions: DeclaredCaptions

    private init(_ variant: Variant, _ kind: Kind, of playlist: MultivariantPlaylist, base: URIReference.Base) {
        self.kind = kind
        captions = DeclaredCaptions(variant, in: playlist)
        url = Self.url(variant.uri, base)
        stableID = variant.stableID
        let attributes: [String?] = [
            variant.resolution?.description, variant.frameRate.map { "\($0.seconds) frames per second" },
            variant.videoRange, variant.codecs.isEmpty ? nil : variant.codecs.sorted().joined(separator: ", "),
        ]
        content = Self.words(attributes)
        let groups = [variant.audioGroup, variant.videoGroup, variant.subtitlesGroup, variant.closedCaptionsGroup]
        place = "\(variant.bandwidth) \(groups) \(variant.pathwayID ?? "")"
    }

    private init(_ rendition: MediaRendition, _ uri: String, base: URIReference.Base) {
        (kind, captions) = (.rendition, .unknown)
        url = Self.url(uri, base)
        stableID = rendition.stableID
        let attributes: [String?] = [
            rendition.kind.rawValue, rendition.language, rendition.channels.map { "\($0) channels" },
            rendition.isForced ? "forced" : nil, rendition.characteristics.sorted().joined(separator: ", "),
        ]
        content = Self.words(attributes)
        place = "\(rendition.group) \(rendition.name)"
    }

    private static func url(_ uri: String, _ base: URIReference.Base) -> String {
        Directives.split(base.resolve(uri)).url
    }

    private static func words(_ attributes: [String?]) -> String {
        let present = attributes.compactMap(\.self).filter { !$0.isEmpty }
        return present.isEmpty ? "nothing" : present.joined(separator: ", ")
    }

    /// Returns all entries: variants, renditions, then I-frame playlists.
    static func all(of playlist: MultivariantPlaylist, _ base: URIReference.Base) -> [ListedPlaylist] {
        playlist.variants.map { ListedPlaylist($0, .variant, of: playlist, base: base) }
            + playlist.renditions.compactMap { rendition in
                rendition.uri.map { ListedPlaylist(rendition, $0, base: base) }
            }
            + playlist.iFrameVariants.map { ListedPlaylist($0, .iFrames, of: playlist, base: base) }
    }
}
