internal import Fetch
internal import HLS
internal import Timeline

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

    private(set) var resource: ResourceLoad

    init(url: String, isLive: Bool = false) {
        resource = ResourceLoad(url: url, resource: "playlist", isLive: isLive)
    }

    var url: String { resource.url }

    /// When it goes on by itself; nil when it does not.
    var nextChange: Instant? { resource.nextChange }

    /// Whether a request is its own.
    func owns(_ id: FetchID) -> Bool { resource.transfer?.id == id }

    mutating func load(_ turn: inout Turn, request: (FetchID, String) -> FetchRequest) {
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
                if case .media(let media) = playlist, media.segments.isEmpty, !media.hasEndList, media.kind != .vod {
                    // A live stream that has just begun has its first segment in a moment.
                    let error = PlaybackError(.empty, "the playlist has no segments yet: \(url)")
                    return fail(LoadFailure(error, .liveMissing), &turn)
                }
                resource.finish(&turn)
                return .success(Arrival(playlist: playlist, url: came.url, bytes: came.bytes, began: came.began))
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
        encryption: PlatformProfile.Encryption,
        beside other: SegmentTimeline?
    ) throws(PlaybackError) {
        var media = media
        media.start = media.start ?? choice?.playlist.start
        try self.init(media, from: arrival.url, encryption: encryption, beside: other)
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
