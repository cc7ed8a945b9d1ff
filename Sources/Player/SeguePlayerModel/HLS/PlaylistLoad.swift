internal import SegueBase
internal import SegueFetch
internal import SeguePlaylists

/// The loading of one playlist, with retries.
struct PlaylistLoad: Sendable {
    /// A playlist that has arrived.
    struct Arrival: Sendable {
        let playlist: Playlist
        /// The URL after redirects.
        let url: String
        let bytes: FetchBytes
        /// The start of the request that returned it.
        let began: Instant
    }

    /// The delivery directives of a request, and the maximum time to wait for its response.
    struct Asking: Sendable {
        let directives: DeliveryDirectives
        let limit: Duration
    }

    private(set) var resource: ResourceLoad

    /// The directives to use; nil for none, or if they failed and are not repeated.
    private(set) var asking: Asking?

    /// True if the directives failed.
    private(set) var isRefused = false

    init(url: String, isLive: Bool = false, asking: Asking? = nil) {
        let asked = asking.map { $0.directives.added(to: url) }
        resource = ResourceLoad(url: url, asked: asked, resource: "playlist", isLive: isLive)
        self.asking = asking
    }

    var url: String { resource.url }

    /// The instant of the next retry or timeout, if any.
    var nextChange: Instant? { resource.nextChange ?? deadline }

    /// The instant at which a delayed response times out, if there is one.
    private var deadline: Instant? {
        guard let asking, let transfer = resource.transfer else { return nil }
        return transfer.began + asking.limit
    }

    func owns(_ id: FetchID) -> Bool { resource.transfer?.id == id }

    mutating func load(_ context: inout StepContext, request: (FetchID, String) -> FetchRequest) {
        if let asking, let deadline, deadline <= context.now {
            resource.stop(&context)
            let message = "no response within \(asking.limit.seconds) s: \(asking.directives.added(to: url))"
            _ = fail(LoadFailure(PlaybackError(.network, code: -1001, message), nil), &context)
        }
        resource.load(&context, request: request)
    }

    mutating func stop(_ context: inout StepContext) { resource.stop(&context) }

    /// Handles news of the request.
    ///
    /// - Returns: The playlist, or the permanent failure; nil while it is open.
    mutating func receive(
        _ event: FetchEvent,
        importing variables: [String: String],
        _ context: inout StepContext
    ) -> Result<Arrival, PlaybackError>? {
        guard let result = resource.receive(event, &context) else { return nil }
        let failure: LoadFailure
        switch result {
        case .success(let came):
            do {
                let playlist = try came.bytes.playlist(from: came.url, importing: variables)
                if case .media(let media) = playlist, media.segments.isEmpty, media.skip == nil, !media.hasEndList,
                    media.kind != .vod
                {
                    // A live stream that has just begun will have its first segment in a moment.
                    let error = PlaybackError(.empty, "the playlist has no segments yet: \(url)")
                    return fail(LoadFailure(error, .liveMissing), &context)
                }
                resource.finish(&context)
                let url = asking == nil ? came.url : DeliveryDirectives.removed(from: came.url)
                return .success(Arrival(playlist: playlist, url: url, bytes: came.bytes, began: came.began))
            } catch {
                // A playlist that is being written may be complete in a moment.
                let kind: FailureKind? = resource.isLive ? .truncated : nil
                failure = LoadFailure(PlaybackError(.unreadable, "\(error): \(url)"), kind)
            }
        case .failure(let reason):
            failure = reason
        }
        return fail(failure, &context)
    }

    private mutating func fail(
        _ failure: LoadFailure,
        _ context: inout StepContext
    ) -> Result<Arrival, PlaybackError>? {
        // A missing playlist is not retried.
        let kind = failure.kind == .missing ? nil : failure.kind
        let failure = LoadFailure(failure.error, kind, retryAfter: failure.retryAfter)
        let isRepeated = resource.fail(failure, &context)
        if asking != nil {
            // A request with directives that fails may succeed without them, and a server that should wait may not
            // support it.
            (asking, isRefused) = (nil, true)
            resource.askPlainly(isNow: !isRepeated)
            return nil
        }
        return isRepeated ? nil : .failure(failure.error)
    }
}

extension PlaylistLoad.Arrival {
    /// Returns the media playlist.
    ///
    /// - Parameter complaint: The message if it is not a media playlist.
    /// - Returns: The playlist.
    /// - Throws: ``PlaybackError`` for a multivariant playlist.
    func media(_ complaint: String) throws(PlaybackError) -> MediaPlaylist {
        guard case .media(let media) = playlist else { throw PlaybackError(.nested, "\(complaint): \(url)") }
        return media
    }
}

extension StepContext {
    /// Delivers a playlist that was requested at a URL.
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
    /// The timeline of a new playlist, of one of several variants or of the only one.
    init(
        _ media: MediaPlaylist,
        from arrival: PlaylistLoad.Arrival,
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

extension StreamPlaylist {
    init(_ arrival: PlaylistLoad.Arrival, _ timeline: SegmentTimeline) {
        self.init(url: arrival.url, timeline: timeline)
        came(began: arrival.began)
    }
}
