internal import SeguePlaylists

/// The resources that a playlist refers to, which a player may request next.
struct NamedResources {
    /// The absolute URLs of media playlists.
    private(set) var playlists: [String] = []

    /// The absolute URLs of segments, initialization sections, and keys, each once, in order.
    private(set) var media: [String] = []

    /// The time until the next reload of a live playlist; nil for a complete one, or one without segments.
    private(set) var reload: Duration?

    /// The variables that a media playlist may import.
    private(set) var variables: [String: String] = [:]

    /// The resources of a playlist; nil if it cannot be parsed.
    init?(_ bytes: [UInt8], from url: String, importing imports: [String: String]) {
        guard let playlist = try? Playlist.parse(bytes, from: url, importing: imports) else { return nil }
        let base = URIReference.Base(url)
        var names: [String] = []
        switch playlist {
        case .multivariant(let multivariant):
            names += multivariant.variants.map(\.uri) + multivariant.iFrameVariants.map(\.uri)
            names += multivariant.renditions.compactMap(\.uri)
            playlists = NamedResources.absolute(names, base)
            variables = multivariant.variables
        case .media(let list):
            for segment in list.segments where !segment.isGap {
                if let map = segment.map { names += [map.uri] + map.keys.map(\.uri) }
                names += segment.keys.map(\.uri) + [segment.uri]
            }
            media = NamedResources.absolute(names, base)
            if !list.hasEndList { reload = .seconds(max(1, min(list.targetDuration, 60))) / 2 }
        }
    }

    private static func absolute(_ names: [String], _ base: URIReference.Base) -> [String] {
        var seen: Set<String> = []
        return names.map(base.resolve).filter { isFetched($0) && seen.insert($0).inserted }
    }

    /// Whether a URL is requested over HTTP.
    ///
    /// Keys may have schemes that only a player with a key system supports.
    private static func isFetched(_ url: String) -> Bool {
        let scheme = url.prefix { $0 != ":" }.lowercased()
        return scheme == "http" || scheme == "https"
    }
}
