internal import SeguePlaylists

/// What a playlist names: what a player may fetch next.
struct NamedResources {
    /// Media playlists, absolute.
    private(set) var playlists: [String] = []

    /// Segments, initialization sections and keys, absolute; each once, in order.
    private(set) var media: [String] = []

    /// How long until a live playlist is worth asking for again; nil for one that has its end, or has no segments.
    private(set) var reload: Duration?

    /// The variables that a media playlist may import.
    private(set) var variables: [String: String] = [:]

    /// What a playlist names; nil where it cannot be read.
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

    /// Whether something is fetched over HTTP: keys may have schemes that only a player with a key system knows.
    private static func isFetched(_ url: String) -> Bool {
        let scheme = url.prefix { $0 != ":" }.lowercased()
        return scheme == "http" || scheme == "https"
    }
}
