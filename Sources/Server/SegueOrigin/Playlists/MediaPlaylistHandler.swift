import HTTPTypes
import SegueFFmpeg
import SeguePackager
import SeguePlaylists

/// The handler of `/items/ID/index.m3u8`.
struct MediaPlaylistHandler: Sendable {
    let opener: ItemOpener
    let layouts: LayoutFinder

    /// The number of segments from which the playlist of a growing file is sent without a wait.
    ///
    /// RFC 8216, 6.3.3: a client should not begin closer to the end than three target durations. Chromium 156 refuses
    /// a first playlist with one segment (measured), and most players choose their place once, at the beginning.
    static let leastListed = 3
    /// The time after which a held playlist is made again, in milliseconds (choice).
    static let patience: Int64 = 500

    func respond(_ asked: ResourceRequest, _ item: LibraryItem) throws -> OriginResponse {
        let query = try PlaylistQuery(asked, opener.devices)
        let presentation = try opener.presentation(of: item, for: query.device, in: query.container, asked.cancellation)
        let listed = presentation.listedSegments.count
        var response =
            listed == 0
            ? OriginFailure.unavailable(
                "tooShort",
                retryAfter: 2,
                "\(item.path): the file is still being written and has no complete segment yet"
            ).response : try self.response(asked, query, item, presentation)
        if !presentation.identity.isComplete, listed < Self.leastListed {
            response.blockedUntil = opener.now() + Self.patience
        }
        return response
    }

    private func response(
        _ asked: ResourceRequest,
        _ query: PlaylistQuery,
        _ item: LibraryItem,
        _ presentation: any Presenting
    ) throws -> OriginResponse {
        let start = try query.start(in: presentation.plan)
        let rendition = try query.subtitles == nil ? query.rendition(of: presentation) : .full
        let container = query.container ?? presentation.preferredContainer(for: rendition)
        let builder = MediaPlaylistBuilder(
            presentation: presentation,
            device: query.device,
            container: container,
            start: start
        )
        let playlist: MediaPlaylist
        if let subtitles = query.subtitles {
            try check(subtitles, of: item, presentation)
            playlist = builder.playlist(of: subtitles)
        } else {
            let extent = try presentation.extent(of: rendition, in: container, cancellation: asked.cancellation)
            let delivered = DeliveredRendition(
                identity: presentation.identity,
                device: query.device,
                rendition: rendition,
                container: container
            )
            let layout = try query.hasByteRanges ? layouts.layout(of: delivered, item, asked.cancellation) : nil
            playlist = try builder.playlist(of: rendition, extent, layout)
        }
        return try .playlist(playlist.text, query).document(asked.request)
    }

    /// Checks that the subtitles exist.
    private func check(_ subtitles: SubtitlesSource, of item: LibraryItem, _ presentation: any Presenting) throws {
        switch subtitles {
        case .side(let tag): _ = try opener.side(tag, of: item)
        case .stream(let stream):
            guard !presentation.subtitles.contains(where: { $0.index == stream }) else { return }
            let reason: ErrorSentence =
                presentation.refusedSubtitles[stream].map(ErrorSentence.init(verbatim:))
                ?? "stream \(stream) contains no subtitles"
            throw OriginFailure.unservable("noSubtitles", reason)
        }
    }
}

extension PlaylistQuery {
    /// Parses a request's query.
    init(_ asked: ResourceRequest, _ devices: Devices) throws(OriginFailure) {
        try self.init(asked.query, devices, userAgent: asked.request.headers[.userAgent])
    }
}

extension OriginResponse {
    /// A 200 with an HLS playlist.
    static func playlist(_ text: String, _ query: PlaylistQuery) -> OriginResponse {
        var response = OriginResponse.bytes(Array(text.utf8), "application/vnd.apple.mpegurl", freshness: .revalidated)
        if query.isHinted { response.headers[.vary] = "User-Agent" }
        return response
    }
}
