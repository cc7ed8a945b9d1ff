internal import Events
internal import Fetch
internal import HLS
internal import Timeline

/// The playlist of a stream: what it says of the item's timeline, and its loading again as long as that may grow.
struct StreamPlaylist: Sendable {
    /// Where a playlist that was left alone is laid anew: beside another stream, with the playhead at a position.
    struct Place {
        let beside: SegmentTimeline
        let position: Duration
    }

    /// Where it came from.
    private(set) var url: String

    private(set) var timeline: SegmentTimeline

    /// Whether it was left alone while it changed, so that where its segments lie is to be found out anew.
    private(set) var isAdrift = false

    private var reload = PlaylistReload()

    init(url: String, timeline: SegmentTimeline) {
        self.url = url
        self.timeline = timeline
    }

    /// When loading it again goes on by itself; nil when it does not.
    var nextChange: Instant? { timeline.isEnded ? nil : reload.nextChange }

    /// Whether a request is its own.
    func owns(_ id: FetchID) -> Bool { reload.load?.owns(id) == true }

    /// It came just so, with a request that began at some moment.
    mutating func came(began: Instant) {
        reload.came(isNews: true, began: began, targetDuration: timeline.targetDuration)
    }

    /// Another variant's takes its place.
    mutating func change(to timeline: SegmentTimeline, from url: String) {
        self = StreamPlaylist(url: url, timeline: timeline)
    }

    /// It is left alone.
    mutating func layDown() {
        reload = PlaylistReload()
        isAdrift = !timeline.isEnded
    }

    /// Begins the request that is to be made now.
    mutating func load(_ maker: RequestMaker, _ turn: inout Turn) {
        guard !timeline.isEnded else { return }
        if reload.load == nil, reload.dueAt ?? turn.now <= turn.now {
            reload.load = PlaylistLoad(url: url, isLive: true)
        }
        reload.load?.load(&turn) { maker.playlist($0, $1) }
    }

    /// Gives up the request under way.
    mutating func stop(_ turn: inout Turn) { reload.load?.stop(&turn) }

    /// Takes in news of its request.
    ///
    /// - Parameters:
    ///   - event: The news.
    ///   - variables: Those of the multivariant playlist.
    ///   - place: Where it is laid anew; nil where it goes on.
    ///   - turn: The turn.
    /// - Returns: Whether it was laid anew.
    /// - Throws: ``PlaybackError`` where it will be of no use any more.
    mutating func receive(
        _ event: FetchEvent,
        importing variables: [String: String],
        laidAnew place: Place?,
        _ turn: inout Turn
    ) throws(PlaybackError) -> Bool {
        guard let result = reload.load?.receive(event, importing: variables, &turn) else { return false }
        do throws(PlaybackError) {
            try take(try result.get(), laidAnew: place, &turn)
            return place != nil
        } catch {
            reload.load = nil
            if case .success = result { turn.record(error, uri: url) }
            throw error
        }
    }

    private mutating func take(
        _ arrival: PlaylistLoad.Arrival,
        laidAnew place: Place?,
        _ turn: inout Turn
    ) throws(PlaybackError) {
        let playlist = try arrival.media("a media playlist became a multivariant playlist")
        var change = SegmentTimeline.Change(isNews: true)
        if let place {
            let encryption = turn.settings.encryption
            timeline = try SegmentTimeline(
                playlist,
                from: arrival.url,
                encryption: encryption,
                beside: place.beside
            )
            isAdrift = false
        } else {
            change = try timeline.update(playlist, from: arrival.url)
        }
        if let complaint = change.complaint { turn.record(complaint, uri: url) }
        reload.came(isNews: change.isNews, began: arrival.began, targetDuration: timeline.targetDuration)
        if change.isNews { turn.log(timeline, from: arrival.url) }
        guard reload.unchanged < turn.settings.stuckReloads else {
            throw PlaybackError(.stuck, "the playlist was loaded \(reload.unchanged) times without news: \(url)")
        }
    }
}

extension Turn {
    /// A media playlist came with news.
    mutating func log(_ timeline: SegmentTimeline, from url: String) {
        log(
            .playlistLoaded(
                item: item.description,
                url: url,
                segments: timeline.slots.count,
                duration: (timeline.end - timeline.start).seconds
            )
        )
    }
}
