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
    static let entryLane = "entry", besideSoundLane = "beside sound"

    let settings: PlatformProfile.Loading

    /// The client data that all requests of the instant share.
    let data: CommonMediaData

    /// The declared bit rate of the variant in use, in bits per second; 0 if there is none.
    let bandwidth: Int

    /// The measured bandwidth in bits per second, if any.
    let throughput: Double?

    /// The playback rate.
    let rate: Double

    /// Whether an incomplete segment has no effect, so that its data may be delivered together.
    var mayGatherMedia = false

    /// A maker for an item's playlists and segments.
    ///
    /// - Parameters:
    ///   - source: The source.
    ///   - rate: The playback rate; 0 while paused.
    ///   - isStartup: Whether the loading speed is unknown.
    ///   - isStarved: Whether the buffer ran out since the last request.
    ///   - streamType: The kind of stream, if known.
    ///   - topBitrate: The highest bit rate of the variants, in bits per second, if there are any.
    ///   - bandwidth: The declared bit rate of the variant in use; 0 if there is none.
    ///   - throughput: The measured bandwidth in bits per second, if any.
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

    /// Requests a frame of an I-frame playlist.
    func frame(_ id: FetchID, _ slot: SegmentTimeline.Slot) -> FetchRequest {
        var data = data
        data.objectType = .video
        return request(id, slot.url, range: slot.range, data, limit: limit(slot))
    }

    /// Requests a future part that a playlist hints at.
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

    /// Eight times the announced size, for peaks and wrong announcements, with a minimum for short segments.
    private func limit(_ slot: SegmentTimeline.Slot) -> Int {
        let rate = bandwidth > 0 ? bandwidth : RequestMaker.mostBitrate / 8
        let bytes = Double(rate) * max(slot.duration.seconds, 1)
        let usual = Int(min(bytes, Double(RequestMaker.mostBytes))) + (8 << 20)
        // A server without support for ranges sends the whole.
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
