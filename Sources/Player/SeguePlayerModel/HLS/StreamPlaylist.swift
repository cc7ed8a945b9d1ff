internal import SegueBase
internal import SegueEvents
internal import SegueFetch
internal import SeguePlaylists

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

    /// When it last brought news; nil where that is not known.
    private(set) var newsAt: Instant?

    private var reload = PlaylistReload()

    /// The playlist as it was loaded last, which an update leaves out much of, and when that was asked for; nil where there
    /// are no updates.
    private var known: (playlist: MediaPlaylist, at: Instant)?

    /// How many updates in a row did not go with what was known.
    private var misfits = 0

    /// After how many answers that do not do what the server offers it is not asked for that any more.
    private static let mostBroken = 2

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
        newsAt = began
        came(isNews: true, began: began)
    }

    private mutating func came(isNews: Bool, began: Instant) {
        reload.came(isNews: isNews, began: began, targetDuration: timeline.targetDuration)
        guard timeline.offer.blocks, reload.isKept else { return }
        let pace = timeline.partTimeline?.target ?? timeline.targetDuration
        reload.allow(from: began + max(pace, SegmentTimeline.leastPart) / 2)
    }

    /// What the server is to do before it answers; nil where it offers nothing.
    private func asking(at now: Instant, _ settings: PlatformProfile.Loading) -> PlaylistLoad.Asking? {
        var directives = DeliveryDirectives()
        if timeline.offer.blocks {
            let part = timeline.partTimeline.map { _ in timeline.partCount(timeline.upper) }
            directives.awaited = .init(sequence: timeline.origin + timeline.upper, part: part)
        }
        if let known, let age = timeline.offer.updatesWithin { directives.skips = now - known.at <= age }
        directives.skipsDateRanges = timeline.offer.skipsDateRanges
        guard !directives.isEmpty else { return nil }
        return PlaylistLoad.Asking(directives: directives, limit: timeline.patience(settings))
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
            reload.load = PlaylistLoad(url: url, isLive: true, asking: asking(at: turn.now, turn.settings))
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
        var playlist = try arrival.media("a media playlist became a multivariant playlist")
        guard try apply(&playlist, arrival, &turn) else { return }
        try judge(playlist, &turn)
        var change = SegmentTimeline.Change(isNews: true)
        if let place {
            timeline = try SegmentTimeline(
                playlist,
                from: arrival.url,
                encryption: turn.settings.support.encryption,
                lowLatency: turn.settings.support.lowLatency,
                beside: place.beside
            )
            isAdrift = false
        } else {
            change = try timeline.update(playlist, from: arrival.url)
        }
        if let complaint = change.complaint { turn.record(complaint, uri: url) }
        came(isNews: change.isNews, began: arrival.began)
        if change.isNews {
            newsAt = turn.now
            turn.log(timeline, from: arrival.url)
        }
        guard reload.unchanged < turn.settings.requesting.stuckReloads else {
            throw PlaybackError(.stuck, "the playlist was loaded \(reload.unchanged) times without news: \(url)")
        }
    }
}

/// What servers offer to those who load a playlist again.
extension StreamPlaylist {
    /// Puts into an update what it leaves out (RFC 8216bis, 6.3.7).
    ///
    /// - Returns: Whether the playlist is whole; else it is loaded again at once, the whole of it.
    /// - Throws: ``PlaybackError`` where the server does nothing but leave out what is not known.
    private mutating func apply(
        _ playlist: inout MediaPlaylist,
        _ arrival: PlaylistLoad.Arrival,
        _ turn: inout Turn
    ) throws(PlaybackError) -> Bool {
        if playlist.skip != nil, timeline.isLowLatency {
            do {
                // Where nothing is known, what was left out was not asked to be, which the timeline complains of.
                guard let known else { return true }
                playlist = try playlist.applied(to: known.playlist)
            } catch {
                misfits += 1
                let complaint = PlaybackError(.changed, "\(error): \(url)")
                guard misfits < StreamPlaylist.mostBroken else { throw complaint }
                turn.record(complaint, uri: url)
                known = nil
                reload.load = nil
                reload.allow(from: turn.now)
                return false
            }
        }
        misfits = 0
        known = timeline.isLowLatency && playlist.serverControl?.canSkipUntil != nil ? (playlist, arrival.began) : nil
        return true
    }

    /// Looks whether the answer waited for what it was to wait for; where it does not, the stream is a live one like others.
    private mutating func judge(_ playlist: MediaPlaylist, _ turn: inout Turn) throws(PlaybackError) {
        guard let load = reload.load else { return }
        if let awaited = load.asking?.directives.awaited {
            let next = playlist.nextSequence
            let isThere = next > awaited.sequence || awaited.part.map { $0 < playlist.openParts.count } ?? false
            let isKept = playlist.hasEndList || isThere && next >= awaited.sequence
            reload.saw(isKept: isKept)
            if !isKept {
                let message = "the answer did not wait for segment \(awaited.sequence)"
                turn.record(
                    PlaybackError(.changed, message + (awaited.part.map { ", part \($0)" } ?? "") + ": \(url)"),
                    uri: url
                )
            }
        } else if load.isRefused {
            reload.saw(isKept: false)
        }
        if reload.broken >= StreamPlaylist.mostBroken { timeline.abandonLowLatency() }
    }
}

extension SegmentTimeline {
    /// What a server is to do before it answers with another playlist, as this one reports of it; nil where it does not.
    ///
    /// The answer is then at least as new as the report (RFC 8216bis, 4.4.5.4).
    func asking(of address: String, _ settings: PlatformProfile.Loading) -> PlaylistLoad.Asking? {
        offer.reports[address].map { place in
            PlaylistLoad.Asking(directives: DeliveryDirectives(awaited: place), limit: patience(settings))
        }
    }

    /// How long an answer may be kept waiting: servers give up after three target durations (RFC 8216bis, 6.2.5.2).
    func patience(_ settings: PlatformProfile.Loading) -> Duration {
        min(max(targetDuration, .seconds(1)) * 3 + .seconds(1), settings.requesting.patience)
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
