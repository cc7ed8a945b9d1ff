internal import SegueBase
internal import SegueFetch
internal import SeguePlaylists

/// Loads one playlist, trying again as the profile says.
struct PlaylistLoad: Sendable {
    /// A playlist that came.
    struct Arrival: Sendable {
        let playlist: Playlist
        /// Where it came from, redirects followed.
        let url: String
        let bytes: FetchBytes
        /// When the request began that brought it.
        let began: Instant
    }

    /// What the server is asked to do before it answers, and for how long that is waited for at the most.
    struct Asking: Sendable {
        let directives: DeliveryDirectives
        let limit: Duration
    }

    private(set) var resource: ResourceLoad

    /// What is asked for besides; nil for nothing, or where that brought nothing and is not asked for again.
    private(set) var asking: Asking?

    /// Whether what was asked for besides brought nothing.
    private(set) var isRefused = false

    init(url: String, isLive: Bool = false, asking: Asking? = nil) {
        let asked = asking.map { $0.directives.added(to: url) }
        resource = ResourceLoad(url: url, asked: asked, resource: "playlist", isLive: isLive)
        self.asking = asking
    }

    var url: String { resource.url }

    /// When it goes on by itself; nil when it does not.
    var nextChange: Instant? { resource.nextChange ?? deadline }

    /// When an answer that is kept waiting is given up; nil where none is.
    private var deadline: Instant? {
        guard let asking, let transfer = resource.transfer else { return nil }
        return transfer.began + asking.limit
    }

    /// Whether a request is its own.
    func owns(_ id: FetchID) -> Bool { resource.transfer?.id == id }

    mutating func load(_ turn: inout Turn, request: (FetchID, String) -> FetchRequest) {
        if let asking, let deadline, deadline <= turn.now {
            resource.stop(&turn)
            let message = "no answer in \(asking.limit.seconds) s: \(asking.directives.added(to: url))"
            _ = fail(LoadFailure(PlaybackError(.network, -1001, message), nil), &turn)
        }
        resource.load(&turn, request: request)
    }

    mutating func stop(_ turn: inout Turn) { resource.stop(&turn) }

    /// Takes in news of the request.
    ///
    /// - Returns: The playlist, or why it will never come; nil while that is open.
    mutating func receive(
        _ event: FetchEvent,
        importing variables: [String: String],
        _ turn: inout Turn
    ) -> Result<Arrival, PlaybackError>? {
        guard let result = resource.receive(event, &turn) else { return nil }
        let failure: LoadFailure
        switch result {
        case .success(let came):
            do {
                let playlist = try came.bytes.playlist(from: came.url, importing: variables)
                if case .media(let media) = playlist, media.segments.isEmpty, media.skip == nil, !media.hasEndList,
                    media.kind != .vod
                {
                    // A live stream that has just begun has its first segment in a moment.
                    let error = PlaybackError(.empty, "the playlist has no segments yet: \(url)")
                    return fail(LoadFailure(error, .liveMissing), &turn)
                }
                resource.finish(&turn)
                let url = asking == nil ? came.url : DeliveryDirectives.removed(from: came.url)
                return .success(Arrival(playlist: playlist, url: url, bytes: came.bytes, began: came.began))
            } catch {
                // What is being written just now may be whole in a moment.
                let kind: FailureKind? = resource.isLive ? .truncated : nil
                failure = LoadFailure(PlaybackError(.unreadable, "\(error): \(url)"), kind)
            }
        case .failure(let reason):
            failure = reason
        }
        return fail(failure, &turn)
    }

    private mutating func fail(
        _ failure: LoadFailure,
        _ turn: inout Turn
    ) -> Result<Arrival, PlaybackError>? {
        // A playlist that the server has not is not looked for again.
        let kind = failure.kind == .missing ? nil : failure.kind
        let failure = LoadFailure(failure.error, kind, retryAfter: failure.retryAfter)
        let isRepeated = resource.fail(failure, &turn)
        if asking != nil {
            // What cannot be had with directives may be there without them, and a server that is to wait may not.
            (asking, isRefused) = (nil, true)
            resource.askPlainly(isNow: !isRepeated)
            return nil
        }
        return isRepeated ? nil : .failure(failure.error)
    }
}

extension PlaylistLoad.Arrival {
    /// The media playlist that it is.
    ///
    /// - Parameter complaint: What is wrong where it is none.
    /// - Returns: The playlist.
    /// - Throws: ``PlaybackError`` where it is a multivariant playlist.
    func media(_ complaint: String) throws(PlaybackError) -> MediaPlaylist {
        guard case .media(let media) = playlist else { throw PlaybackError(.nested, "\(complaint): \(url)") }
        return media
    }
}

extension Turn {
    /// A playlist came that was asked for at an address.
    mutating func deliver(_ arrival: PlaylistLoad.Arrival, of role: StreamRole, from address: String) {
        deliver(
            DeliveredResource(
                item: item,
                stream: role,
                kind: .playlist,
                url: address,
                range: nil,
                content: arrival.bytes
            )
        )
    }
}

extension SegmentTimeline {
    /// The timeline of a playlist that came, of one of some variants or of the only one.
    init(
        _ media: MediaPlaylist,
        _ arrival: PlaylistLoad.Arrival,
        of choice: VariantChoice?,
        _ settings: PlatformProfile.Loading,
        beside other: SegmentTimeline?
    ) throws(PlaybackError) {
        var media = media
        media.start = media.start ?? choice?.playlist.start
        try self.init(
            media,
            from: arrival.url,
            encryption: settings.support.encryption,
            lowLatency: settings.support.lowLatency,
            beside: other
        )
    }
}

extension StreamLoader {
    /// A stream that loads what a playlist names which came just so, from a position on.
    init(role: StreamRole, _ arrival: PlaylistLoad.Arrival, _ timeline: SegmentTimeline, position: Duration) {
        var playlist = StreamPlaylist(url: arrival.url, timeline: timeline)
        playlist.came(began: arrival.began)
        self.init(role: role, playlist: playlist, position: position)
    }
}
