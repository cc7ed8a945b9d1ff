internal import SegueBase
internal import SegueFetch
internal import SeguePlaylists

/// Makes the requests of a client at one moment.
struct RequestMaker {
    /// The most bytes of a segment, whatever is announced.
    private static let mostBytes = 256 << 20

    /// The bit rate that media whose bit rate is not announced may have, in bits per second.
    private static let mostBitrate = 200_000_000

    /// What the lanes of requests for an item's own URL begin with, and that of a playlist which is asked for while sound is
    /// read.
    static let entryLane = "entry", besideSoundLane = "beside sound"

    let settings: PlatformProfile.Loading

    /// What is the same for all requests of the moment.
    let data: CommonMediaData

    /// What the variant in use is declared to take, in bits per second; 0 when it is not.
    let bandwidth: Int

    /// What the line carries; nil when it was not measured yet.
    let throughput: Double?

    /// How fast it plays, or would.
    let rate: Double

    /// Whether what has come of a segment matters to nobody before it is there.
    var mayGatherMedia = false

    /// A maker of the requests of an item's playlists and segments.
    ///
    /// - Parameters:
    ///   - source: What is loaded.
    ///   - rate: How fast it plays; 0 where it does not.
    ///   - isStartup: Whether it is not known yet how fast media load.
    ///   - isStarved: Whether the buffer ran out since the last request.
    ///   - streamType: What the item is; nil while that is not known.
    ///   - topBitrate: The highest of the variants', in bits per second; nil where there are none.
    ///   - bandwidth: That of the variant in use; 0 where it is not declared.
    ///   - throughput: What the line carries; nil when it was not measured yet.
    init(
        _ source: MediaSource,
        rate: Double,
        isStartup: Bool,
        isStarved: Bool,
        streamType: CommonMediaData.StreamType?,
        topBitrate: Int?,
        bandwidth: Int,
        throughput: Double? = nil
    ) {
        var data = CommonMediaData()
        data.isStartup = isStartup
        data.isStarved = isStarved
        data.contentID = source.contentID
        data.rate = rate == 0 ? 1 : rate
        data.session = source.session
        data.streamType = streamType
        data.topBitrate = topBitrate
        self.init(
            settings: source.settings,
            data: data,
            bandwidth: bandwidth,
            throughput: throughput,
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
        return request(id, url, data, limit: PlaylistLimits().bytes, lane: lane)
    }

    func steering(_ id: FetchID, _ url: String) -> FetchRequest {
        request(id, url, data, limit: Steering.byteLimit)
    }

    func assetList(_ id: FetchID, _ url: String) -> FetchRequest {
        request(id, url, data, limit: InterstitialBreak.byteLimit)
    }

    func key(_ id: FetchID, _ url: String) -> FetchRequest {
        var data = data
        data.objectType = .key
        return request(id, url, data, limit: Keyring.byteLimit)
    }

    func initialization(_ id: FetchID, _ map: MapAddress, of playlist: String = "") -> FetchRequest {
        var data = data
        data.objectType = .initialization
        var request = request(id, map.url, range: map.range, data, limit: 16 << 20, lane: "initialization \(playlist)")
        request.keepsConnection = settings.requesting.connections == .keptByInitializations
        return request
    }

    func media(
        _ id: FetchID,
        _ slot: SegmentTimeline.Slot,
        rest: FetchRange? = nil,
        following: SegmentTimeline.Slot?,
        stream: StreamLoader,
        ahead: Duration
    ) -> FetchRequest {
        var data = data
        data.objectType = kind(of: stream)
        data.bitrate = stream.speed.mediaBitrate
        data.duration = slot.duration
        data.bufferLength = ahead
        data.throughput = throughput ?? stream.speed.bitsPerSecond
        if ahead > .zero { data.deadline = Duration(reckonedNanoseconds: Double(ahead.wholeNanoseconds) / rate) }
        data.isStartup = data.isStartup || ahead == .zero
        if let following {
            data.nextObject = CommonMediaData.relative(following.url, to: slot.url)
            data.nextRange = following.range
        }
        // Enough to load four times as fast as it plays.
        data.requestedThroughput = data.bitrate.map { $0 * 4 * rate }
        let lane = "segments \(stream.playlist.url)"
        var request = request(id, slot.url, range: rest ?? slot.range, data, limit: limit(slot), lane: lane)
        request.mayBeGathered = mayGatherMedia
        return request
    }

    /// One picture of a playlist of I-frames.
    func frame(_ id: FetchID, _ slot: SegmentTimeline.Slot) -> FetchRequest {
        var data = data
        data.objectType = .video
        return request(id, slot.url, range: slot.range, data, limit: limit(slot))
    }

    /// A part that is to come, as a playlist hints at.
    func hint(_ id: FetchID, _ hint: PartTimeline.Hint, stream: StreamLoader) -> FetchRequest {
        var data = data
        data.objectType = kind(of: stream)
        data.bitrate = stream.speed.mediaBitrate
        return request(id, hint.url, range: hint.range, data, limit: RequestMaker.mostBytes)
    }

    private func kind(of stream: StreamLoader) -> CommonMediaData.ObjectType {
        if stream.role == .subtitles { return .captions }
        return switch (stream.content.tracks?.hasVideo, stream.content.tracks?.hasAudio) {
        case (true, true): .muxed
        case (true, _): .video
        case (_, true): .audio
        default: .other
        }
    }

    /// Eight times what is announced, for peaks and wrong announcements, and not too little for short segments.
    private func limit(_ slot: SegmentTimeline.Slot) -> Int {
        let rate = bandwidth > 0 ? bandwidth : RequestMaker.mostBitrate / 8
        let bytes = Double(rate) * max(slot.duration.seconds, 1)
        let usual = Int(min(bytes, Double(RequestMaker.mostBytes))) + (8 << 20)
        // A server that knows no ranges sends the whole.
        return slot.range == nil ? min(usual, RequestMaker.mostBytes) : RequestMaker.mostBytes
    }

    func request(
        _ id: FetchID,
        _ url: String,
        range: FetchRange? = nil,
        _ data: CommonMediaData,
        limit: Int,
        more: [(name: String, value: String)] = [],
        lane: String = ""
    ) -> FetchRequest {
        var url = url
        if settings.requesting.clientData == .query {
            url = DeliveryDirectives.adding("CMCD=" + data.query, to: url)
        }
        var request = FetchRequest(
            id: id,
            url: url,
            range: range,
            headers: (settings.requesting.clientData == .headers ? data.headers : []) + more,
            patience: settings.requesting.patience,
            limit: limit
        )
        switch settings.requesting.connections {
        case .shared: break
        case .apart: request.lane = lane
        case .keptByInitializations:
            let isOwn = lane == RequestMaker.besideSoundLane || lane.hasPrefix(RequestMaker.entryLane)
            if isOwn { request.lane = lane }
        }
        return request
    }
}
