internal import Fetch
internal import HLS
internal import Timeline

/// Loads one item: playlist, variant, initialization and segments in order from the playhead.
///
/// Only what `handle` and `update` are told happens; requests and news leave through the output.
struct HLSClient: Sendable {
    private enum Phase: Sendable {
        case idle
        /// The item's own URL is being loaded: a playlist of either kind.
        case entry
        /// The media playlist of a variant is being loaded.
        case variant
        /// The media playlist of the audio rendition that goes with it is being loaded.
        case audio
        case streaming
        case failed(PlaybackError)
    }

    let item: ItemID
    let url: String

    private let settings: PlatformProfile.Loading
    private let cmcd: CommonMediaData
    private var phase = Phase.idle
    private var playlist: PlaylistLoad?
    private var multivariant: (playlist: MultivariantPlaylist, url: String)?
    private var candidates: [Variant] = []
    private var audioURL: String?
    private(set) var streams: [StreamLoader] = []

    /// Where to begin; nil leaves it to the playlist.
    private var wantedStart: Duration?

    init(
        item: ItemID,
        url: String,
        startingAt position: Duration?,
        settings: PlatformProfile.Loading,
        session: String
    ) {
        self.item = item
        self.url = url
        self.settings = settings
        wantedStart = position
        cmcd = CommonMediaData(session: session)
    }

    // MARK: What is there

    /// Whether loading has begun.
    var hasBegun: Bool { if case .idle = phase { false } else { true } }

    /// How long the item is; nil until its playlists are known.
    var duration: Duration? { streams.isEmpty ? nil : streams.map(\.timeline.duration).max() }

    /// Where playback begins; nil until the playlists are known.
    var start: Duration? {
        streams.first.map { min(wantedStart ?? $0.timeline.preferredStart ?? .zero, $0.timeline.duration) }
    }

    /// What the media were seen to have; nil until a segment of every stream was seen.
    var tracks: ItemTracks? {
        guard isStreaming else { return nil }
        var all = ItemTracks(hasVideo: false, hasAudio: false)
        for stream in streams {
            guard let tracks = stream.tracks else { return nil }
            all = all.union(tracks)
        }
        return all
    }

    /// Why nothing more will come: fatal at once before the item is ready, later when the buffer has been used up.
    var failure: PlaybackError? {
        if case .failed(let error) = phase { return error }
        return streams.lazy.compactMap(\.failure).first
    }

    /// Up to where media are there from a position on; the position itself when nothing is.
    func bufferedEnd(from position: Duration) -> Duration {
        guard isStreaming, let duration else { return position }
        return min(duration, streams.map { $0.bufferedEnd(from: position) }.min() ?? position)
    }

    var isLoadedToEnd: Bool { isStreaming && streams.allSatisfy(\.isLoadedToEnd) }

    /// Whether loading rests because enough is buffered.
    var isResting: Bool { isStreaming && streams.allSatisfy { $0.isResting || $0.isLoadedToEnd } }

    /// Whether it is known how fast media load.
    var isSpeedKnown: Bool { isStreaming && streams.allSatisfy { $0.speed.mediaPerSecond != nil } }

    /// What the multivariant playlist declares for the variant in use; 0 when it does not.
    private(set) var indicatedBitrate = 0

    private var isStreaming: Bool { if case .streaming = phase { true } else { false } }

    /// The media playlist in use, or the item's own URL while that is not known.
    var playlistURL: String { streams.first?.playlistURL ?? url }

    /// The start of the segment that holds a position.
    func segmentBounds(at position: Duration) -> (start: Duration, end: Duration)? {
        guard let timeline = streams.first?.timeline else { return nil }
        let slot = timeline.slots[timeline.segment(at: position)]
        return (slot.start, slot.end)
    }

    /// Whether playing from a position at a rate is likely to go on without a stall.
    ///
    /// It is when everything is loaded; when enough is buffered; when media load faster than they play and the next
    /// segment comes before the buffer ends; or when what is buffered makes up for the slower loading of all the rest.
    func isLikelyToKeepUp(from position: Duration, rate: Double, at now: Instant) -> Bool {
        guard isStreaming, let duration else { return false }
        let ahead = bufferedEnd(from: position) - position
        guard ahead > .zero else { return false }
        // Where nothing more will come, there is nothing to wait for.
        if isLoadedToEnd || isResting || failure != nil || ahead >= settings.keepUpEnough { return true }
        guard ahead >= settings.keepUpLeast else { return false }
        return streams.allSatisfy { stream in
            if stream.isLoadedToEnd { return true }
            guard let loading = stream.speed.mediaPerSecond else { return false }
            let underway = stream.transfer.map { now - $0.began } ?? .zero
            let waitForNext = stream.nextDuration.seconds / loading - underway.seconds
            let lasts = ahead.seconds / max(rate, 0.01)
            guard lasts >= waitForNext else { return false }
            let speed = loading / max(rate, 0.01)
            return speed >= settings.keepUpMargin || ahead.seconds >= (duration - position).seconds * (1 - speed)
        }
    }

    // MARK: Commands

    /// Begins to load.
    mutating func begin() {
        guard case .idle = phase else { return }
        phase = .entry
        playlist = PlaylistLoad(url: url)
    }

    /// Loads from a position on, letting go of what lies before it.
    mutating func move(to position: Duration, output: inout PlayerOutput) {
        guard !streams.isEmpty else {
            wantedStart = position
            return
        }
        for index in streams.indices { streams[index].move(to: position, output: &output) }
    }

    /// Gives up every request and lets go of what was loaded; ``begin()`` would load it again from a position on.
    mutating func stop(at position: Duration, output: inout PlayerOutput) {
        playlist?.stop(output: &output)
        playlist = nil
        for index in streams.indices { streams[index].stop(output: &output) }
        streams = []
        multivariant = nil
        candidates = []
        wantedStart = position
        phase = .idle
    }

    // MARK: Loading

    /// When loading goes on by itself; nil when it does not.
    func nextChange(playhead: Duration, rate: Double, at now: Instant) -> Instant? {
        switch phase {
        case .entry, .variant, .audio: playlist?.nextChange
        case .streaming:
            streams.compactMap { $0.nextChange(playhead: playhead, rate: rate, settings: settings, at: now) }.min()
        case .idle, .failed: nil
        }
    }

    /// Begins the requests that are to be made now.
    mutating func update(playhead: Duration, rate: Double, at now: Instant, output: inout PlayerOutput) {
        let maker = RequestMaker(cmcd: cmcd, patience: settings.patience, rate: rate, isStarting: !isSpeedKnown)
        switch phase {
        case .idle, .failed: break
        case .entry, .variant, .audio:
            playlist?.load(at: now, output: &output) { maker.playlist($0, $1) }
        case .streaming:
            for index in streams.indices {
                let speed = streams[index].speed
                let ahead = streams[index].bufferedEnd(from: playhead) - playhead
                streams[index].load(playhead: playhead, at: now, settings: settings, output: &output) {
                    maker.media($0, $1, $2, $3, ahead: ahead, speed: speed)
                }
            }
        }
    }

    /// Whether a request is one of this client's.
    func owns(_ id: FetchID) -> Bool {
        switch phase {
        case .entry, .variant, .audio: playlist?.transfer?.id == id
        case .streaming: streams.contains { $0.transfer?.id == id }
        case .idle, .failed: false
        }
    }

    /// Takes in news of one of this client's requests.
    mutating func handle(_ event: FetchEvent, at now: Instant, journal: inout ItemJournal, output: inout PlayerOutput) {
        switch phase {
        case .idle, .failed: break
        case .entry:
            guard let result = receive(event, at: now, journal: &journal, output: &output) else { return }
            entryCame(result, at: now, journal: &journal, output: &output)
        case .variant:
            guard let result = receive(event, at: now, journal: &journal, output: &output) else { return }
            variantCame(result, at: now, journal: &journal, output: &output)
        case .audio:
            guard let result = receive(event, at: now, journal: &journal, output: &output) else { return }
            audioCame(result, at: now, journal: &journal, output: &output)
        case .streaming:
            guard let index = streams.firstIndex(where: { $0.transfer?.id == event.id }) else { return }
            streams[index].receive(
                event,
                item: item,
                at: now,
                settings: settings,
                journal: &journal,
                output: &output
            )
        }
    }
}

// MARK: - Playlists

extension HLSClient {
    private typealias Arrival = (playlist: Playlist, url: String, bytes: [UInt8])

    private mutating func receive(
        _ event: FetchEvent,
        at now: Instant,
        journal: inout ItemJournal,
        output: inout PlayerOutput
    ) -> Result<Arrival, PlaybackError>? {
        let variables = multivariant?.playlist.variables ?? [:]
        let address = playlist?.url ?? url
        let result = playlist?.receive(
            event,
            importing: variables,
            item: item,
            at: now,
            settings: settings,
            journal: &journal,
            output: &output
        )
        if case .success(let arrival)? = result {
            var role = StreamRole.main
            if case .audio = phase { role = .audio }
            output.effects.append(
                .delivered(
                    DeliveredResource(
                        item: item,
                        stream: role,
                        kind: .playlist,
                        url: address,
                        range: nil,
                        bytes: arrival.bytes
                    )
                )
            )
        }
        return result
    }

    private mutating func entryCame(
        _ result: Result<Arrival, PlaybackError>,
        at now: Instant,
        journal: inout ItemJournal,
        output: inout PlayerOutput
    ) {
        switch result {
        case .failure(let error): phase = .failed(error)
        case .success(let arrival):
            switch arrival.playlist {
            case .media(let playlist):
                do {
                    try add(playlist, role: .main, from: arrival.url, output: &output)
                    phase = .streaming
                } catch {
                    fail(error, at: now, journal: &journal, output: &output)
                }
            case .multivariant(let playlist):
                multivariant = (playlist, arrival.url)
                candidates = VariantChoice.order(playlist.variants, settings)
                tryNextVariant(
                    because: PlaybackError(.noVariant, "no variant has codecs that can be played: \(url)"),
                    at: now,
                    journal: &journal,
                    output: &output
                )
            }
        }
    }

    private mutating func tryNextVariant(
        because error: PlaybackError,
        at now: Instant,
        journal: inout ItemJournal,
        output: inout PlayerOutput
    ) {
        streams = []
        guard !candidates.isEmpty, let multivariant else {
            fail(error, at: now, journal: &journal, output: &output)
            return
        }
        let variant = candidates.removeFirst()
        let address = URIReference.resolve(variant.uri, against: multivariant.url)
        indicatedBitrate = variant.averageBandwidth ?? variant.bandwidth
        output.log(.playlistVariantChosen(item: item.description, url: address, bandwidth: variant.bandwidth))
        audioURL = VariantChoice.audio(for: variant, in: multivariant.playlist).map {
            URIReference.resolve($0, against: multivariant.url)
        }
        // Where the variant's own media are the sound, there is nothing else to load.
        if audioURL == address { audioURL = nil }
        phase = .variant
        self.playlist = PlaylistLoad(url: address)
    }

    private mutating func variantCame(
        _ result: Result<Arrival, PlaybackError>,
        at now: Instant,
        journal: inout ItemJournal,
        output: inout PlayerOutput
    ) {
        do throws(PlaybackError) {
            let arrival = try result.get()
            guard case .media(let playlist) = arrival.playlist else {
                throw PlaybackError(.nested, "a variant is itself a multivariant playlist: \(arrival.url)")
            }
            try add(playlist, role: .main, from: arrival.url, output: &output)
            phase = audioURL == nil ? .streaming : .audio
            self.playlist = audioURL.map(PlaylistLoad.init)
        } catch {
            tryNextVariant(because: error, at: now, journal: &journal, output: &output)
        }
    }

    private mutating func audioCame(
        _ result: Result<Arrival, PlaybackError>,
        at now: Instant,
        journal: inout ItemJournal,
        output: inout PlayerOutput
    ) {
        do throws(PlaybackError) {
            let arrival = try result.get()
            guard case .media(let playlist) = arrival.playlist else {
                throw PlaybackError(.nested, "an audio rendition is a multivariant playlist: \(arrival.url)")
            }
            try add(playlist, role: .audio, from: arrival.url, output: &output)
            phase = .streaming
        } catch {
            tryNextVariant(because: error, at: now, journal: &journal, output: &output)
        }
    }

    private mutating func add(
        _ playlist: MediaPlaylist,
        role: StreamRole,
        from url: String,
        output: inout PlayerOutput
    ) throws(PlaybackError) {
        let timeline = try SegmentTimeline(playlist, from: url)
        output.log(
            .playlistLoaded(
                item: item.description,
                url: url,
                segments: timeline.slots.count,
                duration: timeline.duration.seconds
            )
        )
        let position = start ?? wantedStart ?? timeline.preferredStart ?? .zero
        streams.append(StreamLoader(role: role, playlistURL: url, timeline: timeline, position: position))
    }

    private mutating func fail(
        _ error: PlaybackError,
        at now: Instant,
        journal: inout ItemJournal,
        output: inout PlayerOutput
    ) {
        if journal.errors.last?.error != error {
            journal.record(error, uri: url, item: item, at: now, output: &output)
        }
        phase = .failed(error)
    }
}
