internal import SegueBase
internal import SegueEvents
internal import SegueFetch
internal import SeguePlaylists

/// The playhead and its rate at the last update.
struct Pace: Sendable {
    var position = Duration.zero
    var rate = 0.0
    var at = Instant.zero
}

/// The changes to other variants and their audio renditions during playback, and the subtitles.
struct StreamSwitching: Sendable {
    /// The variants; nil if there is only one.
    var variants: VariantCourse?

    /// The playlist of the separate audio rendition; nil if the variant contains the audio.
    private(set) var audioURL: String?

    /// The audio playlist of a variant that was changed to, while it loads.
    private var audioLoad: PlaylistLoad?
    private var subtitles: PlaylistLoad?

    init(_ variants: VariantCourse?, audioURL: String?, subtitles: String?) {
        (self.variants, self.audioURL) = (variants, audioURL)
        self.subtitles = subtitles.map { PlaylistLoad(url: $0) }
    }

    /// The codecs in the multivariant playlist.
    var announced: AnnouncedCodecs { variants?.choice.announced ?? AnnouncedCodecs() }

    /// The variables of the multivariant playlist.
    var variables: [String: String] { variants?.choice.playlist.variables ?? [:] }

    /// True if no more segments of the variant begin.
    var holds: Bool { variants?.change?.holds == true }

    // MARK: Failures

    /// Returns the permanent failure of a stream; nil while a replacement loads.
    private func failure(of index: Int, in streams: StreamSet) -> PlaybackError? {
        let isBeingReplaced = variants?.change != nil || streams.all[index].role == .audio && audioLoad != nil
        return isBeingReplaced ? nil : streams.all[index].failure
    }

    /// Returns the first permanent failure of the streams that matter.
    func failure(in streams: StreamSet, where matters: (Int) -> Bool) -> PlaybackError? {
        for index in streams.all.indices where matters(index) {
            if let failure = failure(of: index, in: streams) { return failure }
        }
        return nil
    }

    // MARK: Variants

    private func wanted(by record: HLSRecord, in streams: StreamSet) -> VariantChoice.Wanted {
        VariantChoice.Wanted(
            peak: record.preferences.peakBitrate,
            wantsVideo: record.isVideoLoaded,
            isAudioSeparate: audioURL != nil,
            isAudioLost: failure(in: streams) { streams.all[$0].role == .audio } != nil
        )
    }

    /// Decides whether to change the variant, and changes it if that is possible now.
    mutating func choose(
        at position: Duration,
        for record: HLSRecord,
        in streams: inout StreamSet,
        _ context: inout StepContext
    ) {
        guard variants != nil, let main = streams.main else { return }
        // Only the failure of a stream that loads forces a change.
        let failure = failure(in: streams) { [all = streams.all] in
            all[$0].role != .subtitles && all[$0].progress.standing != .idle
        }
        let wanted = wanted(by: record, in: streams)
        variants?.choose(
            after: streams.all[main],
            playhead: position,
            failure: failure,
            estimate: streams.meter.bitsPerSecond,
            wanted,
            at: context.now
        )
        finishChange(at: position, in: &streams, &context)
        variants?.avoidGap(of: streams.all[main], wanted, at: context.now)
        finishChange(at: position, in: &streams, &context)
    }

    /// Changes the variant when its playlist has arrived and no segment of the previous one is loading.
    mutating func finishChange(at position: Duration, in streams: inout StreamSet, _ context: inout StepContext) {
        guard let (timeline, url, began) = variants?.change?.arrived, let main = streams.main,
            !streams.all[main].isLoading,
            let (former, next) = variants?.finish(leaving: streams.all[main].progress.playlist.url)
        else { return }
        streams.all[main].change(to: timeline, from: url, at: position, &context)
        streams.all[main].intake.speed.scale(fromBitrate: former.bandwidth, to: next.bandwidth)
        if let began { streams.all[main].progress.playlist.came(began: began) }
        context.log(.playlistVariantChosen(item: context.item.description, url: url, bandwidth: next.bandwidth))
        // Another variant's audio rendition takes over at the end of the previous audio.
        guard let address = variants?.choice.audio(of: next), address != audioURL else { return }
        audioLoad?.stop(&context)
        let audio = streams.all.first { $0.role == .audio }?.progress.playlist.timeline
        audioURL = address
        audioLoad = PlaylistLoad(url: address, asking: audio?.asking(of: address, context.settings))
    }

    /// Cancels a segment that would be late if a lower variant's would be in time, and returns whether it did.
    mutating func abandonLate(
        at pace: Pace,
        for record: HLSRecord,
        in streams: inout StreamSet,
        _ context: inout StepContext
    ) -> Bool {
        guard context.settings.adapting.rescuesLateSegments, variants?.mayBeLeft == true, pace.rate > 0,
            let main = streams.main,
            let transfer = streams.all[main].request.transfer, let slot = streams.all[main].nextSlot
        else { return false }
        let played = (context.now - pace.at).seconds * pace.rate
        let position = pace.position + .nanoseconds(Int64(played * 1e9))
        let ahead = (streams.bufferedEnd(from: pace.position) - position).seconds / pace.rate
        let race = VariantCourse.Race(
            seconds: ahead,
            wanted: wanted(by: record, in: streams),
            timeline: streams.all[main].progress.playlist.timeline
        )
        guard variants?.rescue(from: transfer, duration: slot.duration, race, at: context.now) == true else {
            return false
        }
        streams.meter.end(at: context.now)
        streams.all[main].stop(&context)
        finishChange(at: pace.position, in: &streams, &context)
        return true
    }

    // MARK: Requests

    var nextChange: Instant? {
        let change = variants?.change.flatMap { $0.arrived == nil ? $0.load.nextChange : nil }
        return [change, audioLoad?.nextChange, subtitles?.nextChange, variants?.nextSteering].compactMap(\.self).min()
    }

    /// Begins the requests that are due.
    mutating func load(throughput: Double?, _ maker: RequestMaker, _ context: inout StepContext) {
        variants?.load(maker, &context)
        variants?.loadSteering(throughput: throughput, maker, &context)
        audioLoad?.load(&context) { maker.playlist($0, $1) }
        subtitles?.load(&context) { maker.playlist($0, $1) }
    }

    func owns(_ id: FetchID) -> Bool {
        variants?.change?.load.owns(id) == true || audioLoad?.owns(id) == true || subtitles?.owns(id) == true
            || variants?.ownsSteering(id) == true
    }

    /// Handles news of its requests, and returns whether that may end something before the next update.
    mutating func receive(
        _ event: FetchEvent,
        at position: Duration,
        startingAt start: Duration?,
        in streams: inout StreamSet,
        _ context: inout StepContext
    ) -> Bool {
        let variables = variables
        if variants?.change?.load.owns(event.id) == true {
            if let result = variants?.receive(event, &context) { changeCame(result, beside: streams, &context) }
        } else if let address = audioLoad?.url, audioLoad?.owns(event.id) == true {
            guard let result = audioLoad?.receive(event, importing: variables, &context) else { return false }
            audioLoad = nil
            audioCame(result, from: address, at: position, in: &streams, &context)
        } else if let address = subtitles?.url, subtitles?.owns(event.id) == true {
            guard let result = subtitles?.receive(event, importing: variables, &context) else { return false }
            subtitles = nil
            guard let stream = subtitlesCame(result, from: address, startingAt: start, beside: streams, &context) else {
                return false
            }
            streams.all.append(stream)
            streams.all[streams.all.count - 1].resume(at: position, &context)
        } else if variants?.ownsSteering(event.id) == true {
            variants?.receiveSteering(event, &context)
            return event.isOutcome
        }
        return false
    }

    mutating func stop(_ context: inout StepContext) {
        variants?.stop(&context)
        audioLoad?.stop(&context)
        subtitles?.stop(&context)
    }

    // MARK: Playlists

    /// Handles the result of loading the playlist of a variant to change to.
    private mutating func changeCame(
        _ result: Result<PlaylistLoad.Arrival, PlaybackError>,
        beside streams: StreamSet,
        _ context: inout StepContext
    ) {
        guard let address = variants?.change?.load.url else { return }
        do throws(PlaybackError) {
            let arrival = try result.get()
            let media = try arrival.media("a variant is a multivariant playlist")
            context.deliver(arrival, of: .main, from: address)
            let timeline = try timeline(of: media, arrival, beside: streams, &context)
            variants?.arrived(timeline, arrival)
        } catch {
            if case .success = result { context.record(error, uri: address) }
            variants?.failed(error, at: context.now)
        }
    }

    /// Handles the result of loading the playlist of another audio rendition.
    private func audioCame(
        _ result: Result<PlaylistLoad.Arrival, PlaybackError>,
        from address: String,
        at position: Duration,
        in streams: inout StreamSet,
        _ context: inout StepContext
    ) {
        guard let index = streams.all.firstIndex(where: { $0.role == .audio }) else { return }
        do throws(PlaybackError) {
            let arrival = try result.get()
            let media = try arrival.media("an audio rendition is a multivariant playlist")
            context.deliver(arrival, of: .audio, from: address)
            let timeline = try timeline(of: media, arrival, beside: streams, &context)
            if streams.all[index].isLoading { streams.meter.end(at: context.now) }
            streams.all[index].change(to: timeline, from: arrival.url, at: position, &context)
            streams.all[index].progress.playlist.came(began: arrival.began)
        } catch {
            if case .success = result { context.record(error, uri: address) }
            streams.all[index].failure = error
        }
    }

    /// Returns the stream of the subtitle playlist, which is optional.
    private func subtitlesCame(
        _ result: Result<PlaylistLoad.Arrival, PlaybackError>,
        from address: String,
        startingAt start: Duration?,
        beside streams: StreamSet,
        _ context: inout StepContext
    ) -> StreamLoader? {
        guard case .success(let arrival) = result, case .media(let media) = arrival.playlist else { return nil }
        context.deliver(arrival, of: .subtitles, from: address)
        do throws(PlaybackError) {
            let timeline = try timeline(of: media, arrival, beside: streams, &context)
            let playlist = StreamPlaylist(arrival, timeline)
            return StreamLoader(role: .subtitles, playlist: playlist, position: start ?? timeline.joinPosition)
        } catch {
            context.record(error, uri: arrival.url)
            return nil
        }
    }

    /// Logs and returns a playlist's timeline, aligned with the existing ones.
    private func timeline(
        of media: MediaPlaylist,
        _ arrival: PlaylistLoad.Arrival,
        beside streams: StreamSet,
        _ context: inout StepContext
    ) throws(PlaybackError) -> SegmentTimeline {
        let (choice, other) = (variants?.choice, streams.timeline)
        let timeline = try SegmentTimeline(media, from: arrival, of: choice, context.settings, beside: other)
        context.log(timeline, from: arrival.url)
        return timeline
    }
}
