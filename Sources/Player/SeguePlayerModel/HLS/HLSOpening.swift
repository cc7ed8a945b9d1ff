internal import SegueBase
internal import SegueEvents
internal import SegueFetch
internal import SeguePlaylists

/// Loads the playlists of an item: its own, that of a variant if it has any, and that of its audio.
///
/// When all have arrived, an ``HLSStreaming`` replaces it. It acts only in `handle` and `update`, and requests and news
/// leave through the step context.
struct HLSOpening: Sendable {
    /// The maximum number of keys that are requested before they are needed.
    private static let mostSessionKeys = 8

    let source: MediaSource

    /// The requested start position; nil for that of the playlist.
    private var wantedStart: Duration?

    var record: HLSRecord

    /// The number of requests for the item's own URL.
    private var entryRequests = 1

    /// True if the item's own URL is that of a playlist, according to a probe.
    private var isProbed = false

    var phase = OpeningPhase.idle
    var variants: VariantCourse?

    /// The playlist of the audio rendition; nil if the variant contains the audio.
    var audioURL: String?

    /// The streams whose playlists have arrived.
    var streams: StreamSet

    /// The probes of the other variants, with those whose playlists are still to be requested.
    private var probes = VariantProbes()
    private var unseen: [Int] = []

    init(_ source: MediaSource, startingAt position: Duration?, _ record: HLSRecord = HLSRecord()) {
        self.source = source
        wantedStart = position
        self.record = record
        streams = StreamSet(source.settings.adapting)
    }

    // MARK: Responses

    /// Handles the result of the playlist load.
    private mutating func came(_ result: Result<PlaylistLoad.Arrival, PlaybackError>, _ context: inout StepContext) {
        if case .entry = phase, case .success = result, entryRequests < source.settings.requesting.entryRequests {
            entryRequests += 1
            phase = .entry(PlaylistLoad(url: source.url))
            return
        }
        if case .probe = phase { return lookInto(result, &context) }
        if case .success(let arrival) = result {
            context.deliver(arrival, of: phase.role, from: phase.load?.url ?? source.url)
        }
        do throws(PlaybackError) {
            let arrival = try result.get()
            if case .entry = phase, case .multivariant(let playlist) = arrival.playlist {
                let choice = VariantChoice(playlist, from: arrival.url, source.settings)
                variants = VariantCourse(choice, record.variants)
                askForKeys(of: playlist, from: arrival.url)
                throw PlaybackError(.noVariant, "no variant has codecs that can be played: \(source.url)")
            }
            try add(try arrival.media("a variant or rendition is a multivariant playlist"), of: arrival, &context)
        } catch {
            begin(because: error, &context)
        }
    }

    /// Requests usable session keys of a multivariant playlist (RFC 8216, 4.3.4.5).
    private mutating func askForKeys(of playlist: MultivariantPlaylist, from url: String) {
        guard source.settings.support.encryption == .served else { return }
        for key in playlist.sessionKeys.prefix(HLSOpening.mostSessionKeys) where SegmentKey.isUsable(key) {
            _ = record.keyring.has(URIReference.resolve(key.uri, against: url))
        }
    }

    /// Opens the first variant that has not failed, or fails the item.
    mutating func begin(because error: PlaybackError, _ context: inout StepContext) {
        guard var course = variants else { return fail(error, &context) }
        streams.stop(&context)
        if let failed = course.choice.index {
            course.choice.ladder.bar(failed, because: error, at: context.now)
            course.record.failures += 1
        }
        variants = course
        guard course.record.failures < VariantRecord.mostFailures,
            let first = course.choice.ladder.first(peak: record.preferences.peakBitrate, at: context.now)
        else { return fail(error, &context) }
        course.choice.use(first)
        variants = course
        let chosen = course.choice.ladder.variants[first]
        audioURL = course.choice.audio(of: chosen)
        probes.stop(&context)
        let others = course.choice.ladder.variants.indices.filter { $0 != first }
        unseen = source.settings.buffering.probes == .variants ? Array(others.prefix(VariantProbes.most)) : []
        if source.settings.buffering.picturesWait, let audioURL {
            phase = .audio(PlaylistLoad(url: audioURL))
        } else {
            open(chosen, &context)
        }
    }

    /// Requests the playlist of the first variant.
    mutating func open(_ chosen: Variant, _ context: inout StepContext) {
        guard let address = variants?.choice.address(of: chosen) else { return }
        context.log(
            .playlistVariantChosen(item: source.item.description, url: address, bandwidth: chosen.bandwidth)
        )
        phase = .variant(PlaylistLoad(url: address))
    }

    private mutating func add(
        _ media: MediaPlaylist,
        of arrival: PlaylistLoad.Arrival,
        _ context: inout StepContext
    ) throws(PlaybackError) {
        let beside = streams.timeline
        let timeline = try SegmentTimeline(media, from: arrival, of: variants?.choice, source.settings, beside: beside)
        context.log(timeline, from: arrival.url)
        if source.settings.support.byteRanges == .refused, timeline.slots.contains(where: { $0.range != nil }) {
            throw PlaybackError(.media, code: 1, "the platform does not support byte ranges: \(arrival.url)")
        }
        let role = phase.role
        let position = start ?? wantedStart ?? timeline.joinPosition
        var stream = StreamLoader(role: role, playlist: StreamPlaylist(arrival, timeline), position: position)
        if role == .main, audioURL != nil, !record.isVideoLoaded { stream.progress.standing = .idle }
        if let asked = phase.load?.url { variants?.timelines.add(timeline, of: asked, from: arrival.url) }
        // The variant's own stream comes first, whichever arrived first.
        streams.all.insert(stream, at: role == .main ? 0 : streams.all.count)
        if streams.main == nil {
            phase = .audioSegments
        } else if role == .main, streams.all.count == 1, let audioURL {
            phase = .audio(PlaylistLoad(url: audioURL))
        } else {
            seeNext()
        }
    }

    /// Requests the playlist of the next variant to probe; if there is none, all have arrived.
    private mutating func seeNext() {
        guard !unseen.isEmpty, let choice = variants?.choice else { return phase = .open }
        phase = .probe(PlaylistLoad(url: choice.address(of: choice.ladder.variants[unseen.removeFirst()])))
    }

    /// Handles the playlist of a variant to probe.
    ///
    /// One that fails is skipped.
    private mutating func lookInto(_ result: Result<PlaylistLoad.Arrival, PlaybackError>, _ context: inout StepContext)
    {
        if case .success(let arrival) = result, case .media(let media) = arrival.playlist,
            let timeline = try? SegmentTimeline(
                media,
                from: arrival,
                of: variants?.choice,
                source.settings,
                beside: streams.timeline
            )
        {
            let position = start ?? wantedStart ?? timeline.joinPosition
            probes.add(StreamLoader(role: .main, playlist: StreamPlaylist(arrival, timeline), position: position))
        }
        seeNext()
    }

    private mutating func fail(_ error: PlaybackError, _ context: inout StepContext) {
        if context.journal.errors.last?.error != error { context.record(error, uri: source.url) }
        phase = .failed(error)
    }
}

extension HLSOpening: MediaClient {
    var hasBegun: Bool { if case .idle = phase { false } else { true } }

    var start: Duration? { streams.start(wanted: wantedStart) }

    var variantChanges: Int { variants?.record.changes ?? record.variants.changes }

    var leftVariant: (url: String, bitrate: Int)? { record.variants.left }

    var failure: PlaybackError? { if case .failed(let error) = phase { error } else { nil } }

    var indicatedBitrate: Int { variants?.choice.indicatedBitrate ?? 0 }

    var playlistURL: String { streams.playlistURL ?? source.url }

    func segmentBounds(at position: Duration) -> (start: Duration, end: Duration)? {
        streams.segmentBounds(at: position)
    }

    func nextChange(playhead: Duration, rate: Double, at now: Instant) -> Instant? {
        let audio = nextAudioChange(playhead: playhead, rate: rate, at: now)
        return [phase.load?.nextChange, variants?.nextSteering, record.keyring.nextChange, audio].compactMap { $0 }
            .min()
    }

    func owns(_ id: FetchID) -> Bool {
        phase.load?.owns(id) == true || streams.index(owning: id) != nil || record.keyring.owns(id)
            || variants?.ownsSteering(id) == true
    }

    var isAtEntry: Bool { if case .entry = phase { true } else { false } }

    var preferences: LoadingPreferences {
        get { record.preferences }
        set { record.preferences = newValue }
    }

    mutating func begin() {
        guard case .idle = phase else { return }
        phase = .entry(PlaylistLoad(url: source.url))
    }

    mutating func requestPlaylist() -> Bool {
        guard case .entry(let load) = phase, load.resource.transfer?.range != nil else { return false }
        isProbed = true
        phase = .entry(PlaylistLoad(url: source.url))
        return true
    }

    mutating func starve() { record.isStarved = true }

    mutating func move(to position: Duration, _ context: inout StepContext) {
        guard !streams.all.isEmpty else {
            wantedStart = position
            return
        }
        streams.move(to: position, &context)
    }

    mutating func stop(at position: Duration, _ context: inout StepContext) -> any MediaClient {
        _ = phase.change { $0.stop(&context) }
        record.keyring.stop(&context)
        variants?.stop(&context)
        streams.stop(&context)
        probes.stop(&context)
        if let variants { record.variants = variants.record }
        return HLSOpening(source, startingAt: position, record)
    }

    mutating func update(playhead: Duration, rate: Double, _ context: inout StepContext) {
        endAudio(at: playhead, &context)
        let maker = RequestMaker(
            source,
            RequestMaker.State(
                rate: rate,
                isStartup: true,
                isStarved: record.isStarved,
                topBitrate: variants?.choice.ladder.topBitrate,
                bandwidth: variants?.choice.bandwidth ?? 0
            )
        )
        let (isAtEntry, number, isProbe) = (isAtEntry, entryRequests, source.settings.files.probes && !isProbed)
        let lane = isBesideAudio ? RequestMaker.besideAudioLane : "playlists"
        _ = phase.change { load in
            load.load(&context) {
                isAtEntry
                    ? maker.entry($0, $1, number: number, isProbe: isProbe) : maker.playlist($0, $1, lane: lane)
            }
        }
        loadAudio(playhead: playhead, maker, &context)
        record.keyring.load(&context) { maker.key($0, $1) }
        variants?.loadSteering(throughput: nil, maker, &context)
    }

    mutating func handle(_ event: FetchEvent, _ context: inout StepContext) -> Bool {
        if record.keyring.owns(event.id) {
            record.keyring.receive(event, &context)
            return event.isOutcome
        }
        if variants?.ownsSteering(event.id) == true {
            variants?.receiveSteering(event, &context)
            return event.isOutcome
        }
        if let index = streams.index(owning: event.id) {
            return receiveAudio(event, ofStream: index, &context)
        }
        let variables = variants?.choice.playlist.variables ?? [:]
        if let result = phase.change({ $0.receive(event, importing: variables, &context) }) ?? nil {
            came(result, &context)
            return true
        }
        // Part of a response may end a request that is too slow.
        return event.isOutcome || !owns(event.id)
    }

    func progressive(startingAt position: Duration?) -> (any MediaClient)? {
        phase.load?.resource.transfer.map {
            ProgressiveClient(source, startingAt: position, preferences: record.preferences, transfer: $0)
        }
    }

    var successor: (any MediaClient)? {
        guard case .open = phase else { return nil }
        let subtitles = variants?.choice.subtitles(languages: source.settings.support.languages)
        return HLSStreaming(
            source: source,
            wantedStart: wantedStart,
            record: record,
            switching: StreamSwitching(variants, audioURL: audioURL, subtitles: subtitles),
            streams: streams,
            beginning: StreamStart(probes: probes)
        )
    }
}
