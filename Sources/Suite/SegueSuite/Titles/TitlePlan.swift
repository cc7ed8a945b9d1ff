internal import SegueBase
internal import SegueFetch
internal import SeguePlayerModel
internal import SeguePlaylists

/// What a title's server has of it: what is played, and what of it is known before.
struct TitlePlan {
    /// A media playlist whose content is compared with the source.
    struct Stream: Equatable {
        /// What it is called in messages: `main`, `variant 2 (1280x720)`, `audio "English"`.
        let name: String
        /// Its address.
        let url: String
        /// The variables of the multivariant playlist that it was found in.
        var variables: [String: String] = [:]
        /// The language of its sound, as the multivariant playlist says it; nil where it says none.
        var language: String?
    }

    /// What is played.
    let item: ItemAddress

    /// The media playlists: of a multivariant playlist the variants, then the audio renditions; of a plain file none.
    private(set) var streams: [Stream] = []

    /// The stream of the sound alone; nil where there is none.
    private(set) var background: Stream?

    /// Bits a second of the greatest variant; nil where nothing says so.
    private(set) var peakBandwidth: Int?

    /// Its length; nil where nothing says so.
    private(set) var duration: Rational?

    /// How many segments it has; nil for a plain file.
    private(set) var segmentCount: Int?

    /// Whether its playlist goes on.
    private(set) var isLive = false

    /// Whether it has sound and pictures; nil where nobody knows before it is played.
    private(set) var hasSound: Bool?
    private(set) var hasPicture: Bool?

    /// Asks for what there is.
    ///
    /// - Parameters:
    ///   - fetch: Fetches a resource, or a part of it; tells where it came from after redirects.
    /// - Throws: ``TitleError`` when the title itself does not come, or has no sound alone that it must have.
    init(_ title: Title, fetch: (String, FetchRange?) throws(TitleError) -> (url: String, bytes: [UInt8]))
        throws(TitleError)
    {
        // Of a film that is a plain file its first bytes say so.
        let isNamed = FetchURL(title.url).map { [".m3u8", ".m3u"].contains(where: $0.lastPathPart.hasSuffix) } ?? false
        var first = try fetch(title.url, isNamed ? nil : FetchRange(offset: 0, length: 1024))
        guard first.bytes.starts(with: Array("#EXTM3U".utf8)) || first.bytes.starts(with: [0xEF, 0xBB, 0xBF, 0x23])
        else {
            item = ItemAddress(full: title.url, background: Self.given(title))
            return
        }
        if !isNamed { first = try fetch(title.url, nil) }
        switch try Self.playlist(first.bytes, first.url, [:]) {
        case .media(let media):
            item = ItemAddress(full: title.url, background: Self.given(title) ?? Self.own(title))
            streams = [Stream(name: "stream", url: title.url)]
            if let address = item.background {
                background = Stream(name: "background", url: address)
            }
            learn(from: media, at: first.url, fetch)
        case .multivariant(let playlist):
            let base = URIReference.Base(first.url)
            let found = SoundAlone(of: playlist)
            let alone = found.map { Stream(name: "background", url: base.resolve($0.uri)) }
            switch title.background {
            case .url(let url): background = Stream(name: "background", url: url)
            case .none: background = nil
            case .audio:
                guard let alone else {
                    throw TitleError(.broken, "\(title.url) has neither a variant nor a rendition of sound alone")
                }
                background = alone
            case .found:
                background = Self.own(title).map { Stream(name: "background", url: $0) } ?? alone
            }
            item = ItemAddress(full: title.url, background: background?.url, multivariant: title.url)
            peakBandwidth = playlist.variants.map(\.bandwidth).max()
            streams = Self.streams(of: playlist, base)
            if let variant = playlist.variants.first {
                let own = try fetch(base.resolve(variant.uri), nil)
                if case .media(let media) = try Self.playlist(own.bytes, own.url, playlist.variables) {
                    learn(from: media, at: own.url, fetch)
                }
            }
            // Sound may lie in a rendition of its own.
            if playlist.renditions.contains(where: { $0.kind == .audio }) { hasSound = true }
        }
    }

    private static func playlist(
        _ bytes: [UInt8],
        _ url: String,
        _ variables: [String: String]
    ) throws(TitleError) -> Playlist {
        do {
            return try Playlist.parse(bytes, from: url, importing: variables)
        } catch {
            throw TitleError(.broken, "\(url) is no playlist: \(error)")
        }
    }

    /// The sound alone where the list names it.
    private static func given(_ title: Title) -> String? {
        if case .url(let url) = title.background { return url }
        return nil
    }

    /// The sound alone of an item of `segue serve`, which its own URL tells.
    private static func own(_ title: Title) -> String? {
        title.background == .none ? nil : ServedItemURL.background(of: title.url)
    }

    private static func streams(of playlist: MultivariantPlaylist, _ base: URIReference.Base) -> [Stream] {
        var streams: [Stream] = []
        for (index, variant) in playlist.variants.enumerated() {
            let size = variant.resolution.map { " (\($0))" } ?? ""
            streams.append(
                Stream(
                    name: playlist.variants.count == 1 ? "main" : "variant \(index + 1)\(size)",
                    url: base.resolve(variant.uri),
                    variables: playlist.variables
                )
            )
        }
        for rendition in playlist.renditions where rendition.kind == .audio {
            guard let uri = rendition.uri else { continue }
            streams.append(
                Stream(
                    name: "audio \"\(rendition.name)\"",
                    url: base.resolve(uri),
                    variables: playlist.variables,
                    language: rendition.language
                )
            )
        }
        // Variants may share a playlist.
        return streams.enumerated().filter { place, stream in
            !streams[..<place].contains { $0.url == stream.url }
        }.map(\.element)
    }

    /// Learns what a media playlist and its first segment say.
    private mutating func learn(
        from media: MediaPlaylist,
        at url: String,
        _ fetch: (String, FetchRange?) throws(TitleError) -> (url: String, bytes: [UInt8])
    ) {
        isLive = !media.hasEndList
        duration = media.duration
        segmentCount = media.segments.count
        guard let segment = media.segments.first(where: { !$0.isGap }), segment.keys.isEmpty else { return }
        let base = URIReference.Base(url)
        let parts = [
            segment.map.map { (base.resolve($0.uri), $0.byteRange) }, (base.resolve(segment.uri), segment.byteRange),
        ]
        var inspection: SegmentInspection?
        for case let (address, range)? in parts {
            guard let own = try? fetch(address, range.flatMap(FetchRange.init)).bytes else { return }
            guard let next = try? SegmentInspector.inspect(own, initialization: inspection) else { return }
            inspection = next
        }
        guard let inspection else { return }
        (hasSound, hasPicture) = (inspection.hasAudio, inspection.hasVideo)
    }
}

extension FetchRange {
    /// A part of a resource as a playlist names it; nil where it is none.
    init?(_ range: ByteRange) {
        guard range.offset >= 0, range.length > 0, !range.offset.addingReportingOverflow(range.length).overflow else {
            return nil
        }
        self.init(offset: range.offset, length: range.length)
    }
}
