internal import SegueBase
internal import SegueFetch
internal import SeguePlaylists

/// Creates the requests of a client at one instant.
struct RequestMaker {
    /// The maximum size of a segment, whatever is announced.
    private static let mostBytes = 256 << 20

    /// The maximum bit rate of media without an announced bit rate, in bits per second.
    private static let mostBitrate = 200_000_000

    /// The lane prefix of requests for an item's own URL, and the lane of a playlist that is requested while audio is
    /// read.
    static let entryLane = "entry", besideAudioLane = "beside sound"

    let settings: PlatformProfile.Loading

    /// The client data that all requests of the instant share.
    let data: CommonMediaData

    /// The declared bit rate of the variant in use, in bits per second; 0 if there is none.
    let bandwidth: Int

    /// The measured bandwidth in bits per second, if any.
    let throughput: Double?

    /// The playback rate.
    let rate: Double

    /// True if an incomplete segment has no effect, so that its data may be delivered together.
    var mayGatherMedia = false

    /// The state of a client that its requests report.
    struct State {
        /// The playback rate; 0 while paused.
        var rate: Double

        /// True if the loading speed is unknown.
        var isStartup = false

        /// True if the buffer ran out since the last request.
        var isStarved = false

        /// The kind of stream, if known.
        var streamType: CommonMediaData.StreamType?

        /// The highest bit rate of the variants, in bits per second, if there are any.
        var topBitrate: Int?

        /// The declared bit rate of the variant in use, in bits per second; 0 if there is none.
        var bandwidth = 0

        /// The measured bandwidth in bits per second, if any.
        var throughput: Double?
    }

    init(_ source: MediaSource, _ state: State) {
        var data = CommonMediaData()
        data.isStartup = state.isStartup
        data.isStarved = state.isStarved
        data.contentID = source.contentID
        data.rate = state.rate == 0 ? 1 : state.rate
        data.session = source.session
        data.streamType = state.streamType
        data.topBitrate = state.topBitrate
        self.init(
            settings: source.settings,
            data: data,
            bandwidth: state.bandwidth,
            throughput: state.throughput,
            rate: data.rate
        )
    }

    init(
        settings: PlatformProfile.Loading,
        data: CommonMediaData,
        bandwidth: Int,
        throughput: Double?,
        rate: Double
    ) {
        (self.settings, self.data, self.bandwidth) = (settings, data, bandwidth)
        (self.throughput, self.rate) = (throughput, rate)
    }

    func playlist(_ id: FetchID, _ url: String, lane: String = "playlists") -> FetchRequest {
        var data = data
        data.objectType = .manifest
        return request(id, url, data: data, with: Options(limit: PlaylistLimits().bytes, lane: lane))
    }

    func steering(_ id: FetchID, _ url: String) -> FetchRequest {
        request(id, url, data: data, with: Options(limit: Steering.byteLimit))
    }

    func assetList(_ id: FetchID, _ url: String) -> FetchRequest {
        request(id, url, data: data, with: Options(limit: InterstitialBreak.byteLimit))
    }

    func key(_ id: FetchID, _ url: String) -> FetchRequest {
        var data = data
        data.objectType = .key
        return request(id, url, data: data, with: Options(limit: Keyring.byteLimit))
    }

    func initialization(_ id: FetchID, _ map: MapAddress, of playlist: String = "") -> FetchRequest {
        var data = data
        data.objectType = .initialization
        let options = Options(range: map.range, limit: 16 << 20, lane: "initialization \(playlist)")
        var request = request(id, map.url, data: data, with: options)
        request.keepsConnection = settings.requesting.connections == .keptByInitializations
        return request
    }

    /// Requests a segment or part, with a buffer ahead of the playhead.
    func media(
        _ id: FetchID,
        _ wanted: WantedMedia,
        for intake: StreamIntake,
        ahead: Duration
    ) -> FetchRequest {
        let slot = wanted.slot
        var data = data
        data.objectType = kind(of: intake)
        data.bitrate = intake.speed.mediaBitrate
        data.duration = slot.duration
        data.bufferLength = ahead
        data.throughput = throughput ?? intake.speed.bitsPerSecond
        if ahead > .zero { data.deadline = Duration(reckonedNanoseconds: Double(ahead.wholeNanoseconds) / rate) }
        data.isStartup = data.isStartup || ahead == .zero
        if let following = wanted.following {
            data.nextObject = CommonMediaData.relative(following.url, to: slot.url)
            data.nextRange = following.range
        }
        // Enough to load four times as fast as it plays.
        data.requestedThroughput = data.bitrate.map { $0 * 4 * rate }
        let lane = "segments \(wanted.playlist)"
        let options = Options(range: wanted.rest ?? slot.range, limit: limit(slot), lane: lane)
        var request = request(id, slot.url, data: data, with: options)
        request.mayBeGathered = mayGatherMedia
        request.isUnread = wanted.isUnread
        return request
    }

    /// Requests a frame of an I-frame playlist.
    func frame(_ id: FetchID, _ slot: SegmentTimeline.Slot) -> FetchRequest {
        var data = data
        data.objectType = .video
        return request(id, slot.url, data: data, with: Options(range: slot.range, limit: limit(slot)))
    }

    /// Requests a future part that a playlist hints at.
    func hint(_ id: FetchID, _ hint: PartTimeline.Hint, for intake: StreamIntake) -> FetchRequest {
        var data = data
        data.objectType = kind(of: intake)
        data.bitrate = intake.speed.mediaBitrate
        return request(id, hint.url, data: data, with: Options(range: hint.range, limit: RequestMaker.mostBytes))
    }

    private func kind(of intake: StreamIntake) -> CommonMediaData.ObjectType {
        if intake.role == .subtitles { return .captions }
        return switch (intake.content.tracks?.hasVideo, intake.content.tracks?.hasAudio) {
        case (true, true): .muxed
        case (true, _): .video
        case (_, true): .audio
        default: .other
        }
    }

    /// Eight times the announced size, for peaks and wrong announcements, with a minimum for short segments.
    private func limit(_ slot: SegmentTimeline.Slot) -> Int {
        let rate = bandwidth > 0 ? bandwidth : RequestMaker.mostBitrate / 8
        let bytes = Double(rate) * max(slot.duration.seconds, 1)
        let usual = Int(min(bytes, Double(RequestMaker.mostBytes))) + (8 << 20)
        // A server without support for ranges sends the whole.
        return slot.range == nil ? min(usual, RequestMaker.mostBytes) : RequestMaker.mostBytes
    }

    /// The properties of a request, apart from its client data.
    struct Options {
        var range: FetchRange?
        var limit: Int
        var moreHeaders: [(name: String, value: String)] = []
        var lane = ""
    }

    func request(_ id: FetchID, _ url: String, data: CommonMediaData, with options: Options) -> FetchRequest {
        var url = url
        if settings.requesting.clientData == .query {
            url = DeliveryDirectives.adding("CMCD=" + data.query, to: url)
        }
        var request = FetchRequest(
            id: id,
            url: url,
            range: options.range,
            headers: (settings.requesting.clientData == .headers ? data.headers : []) + options.moreHeaders,
            patience: settings.requesting.patience,
            limit: options.limit
        )
        switch settings.requesting.connections {
        case .shared: break
        case .apart: request.lane = options.lane
        case .keptByInitializations:
            let isOwn = options.lane == RequestMaker.besideAudioLane || options.lane.hasPrefix(RequestMaker.entryLane)
            if isOwn { request.lane = options.lane }
        }
        return request
    }
}
