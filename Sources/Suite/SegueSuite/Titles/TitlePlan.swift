internal import SegueBase
internal import SegueFetch
internal import SeguePlayerModel
internal import SeguePlaylists

/// The content of a title on its server, as far as playlists show it.
struct TitlePlan {
    /// A media playlist whose content is compared with the source.
    struct Stream: Equatable {
        /// The name in messages: `main`, `variant 2 (1280x720)`, `audio "English"`.
        let name: String
        let url: String
        /// The variables of its multivariant playlist.
        var variables: [String: String] = [:]
        /// The language of its audio by the multivariant playlist; nil without one.
        var language: String?
    }

    let item: ItemAddress

    /// The media playlists: the variants and then the audio renditions of a multivariant playlist; empty for a plain
    /// file.
    private(set) var streams: [Stream] = []

    /// The audio-only stream; nil without one.
    private(set) var background: Stream?

    /// The highest peak bit rate of the variants; nil if not declared.
    private(set) var peakBandwidth: Int?

    /// The duration; nil if unknown.
    private(set) var duration: Rational?

    /// The number of segments; nil for a plain file.
    private(set) var segmentCount: Int?

    /// True if the playlist has no end.
    private(set) var isLive = false

    /// True if it has audio and video; nil if unknown before playback.
    private(set) var hasAudio: Bool?
    private(set) var hasVideo: Bool?

    /// Loads the playlists.
    ///
    /// `fetch` returns the bytes of a resource or a part of it, and its URL after redirects.
    ///
    /// - Throws: ``TitleError`` if the title is unavailable or lacks a required audio-only stream.
    init(_ title: Title, fetch: (String, FetchRange?) throws(TitleError) -> (url: String, bytes: [UInt8]))
        throws(TitleError)
    {
        // The first bytes identify a plain video file.
        let isNamed = FetchURL(title.url).map { [".m3u8", ".m3u"].contains(where: $0.lastPathPart.hasSuffix) } ?? false
        var first = try fetch(title.url, isNamed ? nil : FetchRange(offset: 0, length: 1024))
        guard first.bytes.starts(with: Array("#EXTM3U".utf8)) || first.bytes.starts(with: [0xEF, 0xBB, 0xBF, 0x23])
        else {
            item = ItemAddress(full: title.url, background: Self.given(title))
            return
        }
        if !isNamed { first = try fetch(title.url, nil) }
        switch try Self.playlist(first.bytes, from: first.url) {
        case .media(let media):
            item = ItemAddress(full: title.url, background: Self.given(title) ?? Self.own(title))
            streams = [Stream(name: "stream", url: title.url)]
            if let address = item.background {
                background = Stream(name: "background", url: address)
            }
            learn(from: media, at: first.url, fetch)
        case .multivariant(let playlist):
            let base = URIReference.Base(first.url)
            let found = AudioOnlyStream(of: playlist)
            let alone = found.map { Stream(name: "background", url: base.resolve($0.uri)) }
            switch title.background {
            case .url(let url): background = Stream(name: "background", url: url)
            case .none: background = nil
            case .audio:
                guard let alone else {
                    throw TitleError(.broken, "\(title.url) has no audio-only variant or rendition")
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
                let parsed = try Self.playlist(own.bytes, from: own.url, importing: playlist.variables)
                if case .media(let media) = parsed {
                    learn(from: media, at: own.url, fetch)
                }
            }
            // The audio may be in a separate rendition.
            if playlist.renditions.contains(where: { $0.kind == .audio }) { hasAudio = true }
        }
    }

    private static func playlist(
        _ bytes: [UInt8],
        from url: String,
        importing variables: [String: String] = [:]
    ) throws(TitleError) -> Playlist {
        do {
            return try Playlist.parse(bytes, from: url, importing: variables)
        } catch {
            throw TitleError(.broken, "\(url) is not a playlist: \(error)")
        }
    }

    /// The audio-only stream named in the list.
    private static func given(_ title: Title) -> String? {
        if case .url(let url) = title.background { return url }
        return nil
    }

    /// The audio-only stream of an item of `segue serve`, derived from its URL.
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

    /// Reads the facts in a media playlist and its first segment.
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
        (hasAudio, hasVideo) = (inspection.hasAudio, inspection.hasVideo)
    }
}

extension FetchRange {
    /// A byte range of a playlist; nil if it is invalid.
    init?(_ range: ByteRange) {
        guard range.offset >= 0, range.length > 0, !range.offset.addingReportingOverflow(range.length).overflow else {
            return nil
        }
        self.init(offset: range.offset, length: range.length)
    }
}
