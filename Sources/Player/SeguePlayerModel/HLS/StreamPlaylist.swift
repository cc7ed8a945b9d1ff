internal import SegueBase
internal import SegueEvents
internal import SegueFetch
internal import SeguePlaylists

/// The playlist of a stream: its timeline, and its reloads while it is live.
struct StreamPlaylist: Sendable {
    /// The alignment of a playlist that was neglected: beside another stream, with the playhead at a position.
    struct Place {
        let beside: SegmentTimeline
        let position: Duration
    }

    private(set) var url: String

    private(set) var timeline: SegmentTimeline

    /// True if the playlist may have changed while it was neglected, so that it must be aligned again.
    private(set) var isAdrift = false

    /// The last change, if known.
    private(set) var newsAt: Instant?

    private var reload = PlaylistReload()

    /// The last complete version, to which a delta update applies, and the time of its request; nil without delta
    /// updates.
    private var known: (playlist: MediaPlaylist, at: Instant)?

    /// The number of consecutive delta updates that did not match the known version.
    private var misfits = 0

    /// The number of broken offers after which directives are no longer used.
    private static let mostBroken = 2

    init(url: String, timeline: SegmentTimeline) {
        self.url = url
        self.timeline = timeline
    }

    /// The instant of the next reload, retry, or timeout, if any.
    var nextChange: Instant? { timeline.isEnded ? nil : reload.nextChange }

    func owns(_ id: FetchID) -> Bool { reload.load?.owns(id) == true }

    /// Records a new playlist, with the start of its request.
    mutating func came(began: Instant) {
        newsAt = began
        came(isNews: true, began: began)
    }

    private mutating func came(isNews: Bool, began: Instant) {
        reload.came(isNews: isNews, began: began, targetDuration: timeline.targetDuration)
        guard timeline.lowLatency.offer.blocks, reload.isKept else { return }
        let pace = timeline.lowLatency.parts?.target ?? timeline.targetDuration
        reload.allow(from: began + max(pace, PartTimeline.leastPart) / 2)
    }

    /// Returns the delivery directives for the next reload; nil if the server offers none.
    private func asking(at now: Instant, _ settings: PlatformProfile.Loading) -> PlaylistLoad.Asking? {
        var directives = DeliveryDirectives()
        if timeline.lowLatency.offer.blocks {
            let part = timeline.lowLatency.parts.map { _ in timeline.partCount(timeline.upper) }
            directives.awaited = .init(sequence: timeline.origin + timeline.upper, part: part)
        }
        if let known, let age = timeline.lowLatency.offer.updatesWithin { directives.skips = now - known.at <= age }
        directives.skipsDateRanges = timeline.lowLatency.offer.skipsDateRanges
        guard !directives.isEmpty else { return nil }
        return PlaylistLoad.Asking(directives: directives, limit: timeline.patience(settings))
    }

    /// Replaces the playlist with that of another variant.
    mutating func change(to timeline: SegmentTimeline, from url: String) {
        self = StreamPlaylist(url: url, timeline: timeline)
    }

    mutating func layDown() {
        reload = PlaylistReload()
        isAdrift = !timeline.isEnded
    }

    /// Begins the request that is due.
    mutating func load(_ maker: RequestMaker, _ context: inout StepContext) {
        guard !timeline.isEnded else { return }
        if reload.load == nil, reload.dueAt ?? context.now <= context.now {
            reload.load = PlaylistLoad(url: url, isLive: true, asking: asking(at: context.now, context.settings))
        }
        reload.load?.load(&context) { maker.playlist($0, $1) }
    }

    /// Cancels the open request.
    mutating func stop(_ context: inout StepContext) { reload.load?.stop(&context) }

    /// Handles news of its request.
    ///
    /// - Parameters:
    ///   - event: News of the request.
    ///   - variables: The variables of the multivariant playlist.
    ///   - place: The place for a new alignment; nil to continue.
    ///   - context: The effects of the step.
    /// - Returns: True if the timeline was aligned again.
    /// - Throws: ``PlaybackError`` if it has become unusable.
    mutating func receive(
        _ event: FetchEvent,
        importing variables: [String: String],
        laidAnew place: Place?,
        _ context: inout StepContext
    ) throws(PlaybackError) -> Bool {
        guard let result = reload.load?.receive(event, importing: variables, &context) else { return false }
        do throws(PlaybackError) {
            try accept(try result.get(), laidAnew: place, &context)
            return place != nil
        } catch {
            reload.load = nil
            if case .success = result { context.record(error, uri: url) }
            throw error
        }
    }

    private mutating func accept(
        _ arrival: PlaylistLoad.Arrival,
        laidAnew place: Place?,
        _ context: inout StepContext
    ) throws(PlaybackError) {
        var playlist = try arrival.media("a media playlist became a multivariant playlist")
        guard try apply(&playlist, of: arrival, &context) else { return }
        try judge(playlist, &context)
        var change = SegmentTimeline.Change(isNews: true)
        if let place {
            timeline = try SegmentTimeline(
                playlist,
                from: arrival.url,
                encryption: context.settings.support.encryption,
                lowLatency: context.settings.support.lowLatency,
                beside: place.beside
            )
            isAdrift = false
        } else {
            change = try timeline.update(playlist, from: arrival.url)
        }
        if let complaint = change.complaint { context.record(complaint, uri: url) }
        came(isNews: change.isNews, began: arrival.began)
        if change.isNews {
            newsAt = context.now
            context.log(timeline, from: arrival.url)
        }
        guard reload.unchanged < context.settings.requesting.stuckReloads else {
            throw PlaybackError(.stuck, "the playlist did not change in \(reload.unchanged) reloads: \(url)")
        }
    }
}

/// Offers of servers for reloads.
extension StreamPlaylist {
    /// Completes a delta update from the known version (RFC 8216bis, 6.3.7).
    ///
    /// - Returns: True if the playlist is complete. If not, it is reloaded immediately without a delta update.
    /// - Throws: ``PlaybackError`` if the server always omits segments that are not known.
    private mutating func apply(
        _ playlist: inout MediaPlaylist,
        of arrival: PlaylistLoad.Arrival,
        _ context: inout StepContext
    ) throws(PlaybackError) -> Bool {
        if playlist.skip != nil, timeline.lowLatency.isUsed {
            do {
                // Without a known version, no delta update was requested. The timeline reports that error.
                guard let known else { return true }
                playlist = try playlist.applied(to: known.playlist)
            } catch {
                misfits += 1
                let complaint = PlaybackError(.changed, "\(error): \(url)")
                guard misfits < StreamPlaylist.mostBroken else { throw complaint }
                context.record(complaint, uri: url)
                known = nil
                reload.load = nil
                reload.allow(from: context.now)
                return false
            }
        }
        misfits = 0
        let isKept = timeline.lowLatency.isUsed && playlist.serverControl?.canSkipUntil != nil
        known = isKept ? (playlist, arrival.began) : nil
        return true
    }

    /// Checks that the response waited for the requested change.
    ///
    /// If it did not, the stream is treated as an ordinary live stream.
    private mutating func judge(_ playlist: MediaPlaylist, _ context: inout StepContext) throws(PlaybackError) {
        guard let load = reload.load else { return }
        if let awaited = load.asking?.directives.awaited {
            let next = playlist.nextSequence
            let isThere = next > awaited.sequence || awaited.part.map { $0 < playlist.openParts.count } ?? false
            let isKept = playlist.hasEndList || isThere && next >= awaited.sequence
            reload.saw(isKept: isKept)
            if !isKept {
                let message = "the response did not wait for segment \(awaited.sequence)"
                context.record(
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
    /// Returns the directives for another playlist, according to this one's rendition report; nil without one.
    ///
    /// The response is then at least as recent as the report (RFC 8216bis, 4.4.5.4).
    func asking(of address: String, _ settings: PlatformProfile.Loading) -> PlaylistLoad.Asking? {
        lowLatency.offer.reports[address].map { place in
            PlaylistLoad.Asking(directives: DeliveryDirectives(awaited: place), limit: patience(settings))
        }
    }

    /// Returns the maximum delay of a response.
    ///
    /// Servers give up after three target durations (RFC 8216bis, 6.2.5.2).
    func patience(_ settings: PlatformProfile.Loading) -> Duration {
        min(max(targetDuration, .seconds(1)) * 3 + .seconds(1), settings.requesting.patience)
    }
}

extension StepContext {
    /// Logs a media playlist that has changed.
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
