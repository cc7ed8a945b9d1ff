internal import Fetch
internal import HLS
internal import Timeline

/// Loads one stream's segments in order from the playhead, as far ahead as the profile lets it.
struct StreamLoader: Sendable {
    /// What is being loaded.
    enum Target: Sendable, Equatable {
        case map(MapAddress)
        case segment(Int)
    }

    let role: StreamRole
    let playlistURL: String
    let timeline: SegmentTimeline

    /// The segments that are loaded and not yet let go, without a gap.
    private(set) var loaded: Range<Int>

    /// What the media were seen to have; nil until a segment was seen.
    private(set) var tracks: ItemTracks?

    /// Why the next segment will never come; what is loaded can still be played.
    private(set) var failure: PlaybackError?

    /// Whether loading rests because enough is buffered.
    private(set) var isResting = false

    private(set) var speed = LoadSpeed()

    private(set) var transfer: Transfer?
    private var target: Target?
    private var attempts = Attempts()
    private var map: (address: MapAddress, holds: SegmentInspection)?

    init(role: StreamRole, playlistURL: String, timeline: SegmentTimeline, position: Duration) {
        self.role = role
        self.playlistURL = playlistURL
        self.timeline = timeline
        let first = timeline.segment(at: position)
        loaded = first..<first
    }

    // MARK: What is there

    var isLoadedToEnd: Bool { loaded.upperBound == timeline.slots.count }

    /// Up to where media are there without a gap from a position on; the position itself when nothing is.
    func bufferedEnd(from position: Duration) -> Duration {
        guard let first = loaded.first, timeline.slots[first].start <= position else { return position }
        // Another stream may be longer; this one holds nothing back at its end.
        if isLoadedToEnd { return .seconds(Int64.max / 4_000_000_000) }
        return max(position, timeline.slots[loaded.upperBound].start)
    }

    /// How long the segment that is next to load plays; zero when there is none.
    var nextDuration: Duration { isLoadedToEnd ? .zero : timeline.slots[loaded.upperBound].duration }

    // MARK: Moving

    /// Lets go of what lies before the playhead; loads from there when it is not there.
    mutating func move(to position: Duration, output: inout PlayerOutput) {
        let number = timeline.segment(at: position)
        if loaded.contains(number) || number == loaded.upperBound && !loaded.isEmpty {
            loaded = number..<loaded.upperBound
            return
        }
        if loaded.isEmpty, loaded.lowerBound == number { return }
        stop(output: &output)
        loaded = number..<number
        attempts = Attempts()
        failure = nil
        isResting = false
    }

    /// Gives up the request under way.
    mutating func stop(output: inout PlayerOutput) {
        if let transfer { output.cancel(transfer.id) }
        transfer = nil
        target = nil
    }

    // MARK: Loading

    /// When loading goes on by itself; nil when it does not.
    func nextChange(playhead: Duration, rate: Double, settings: PlatformProfile.Loading, at now: Instant) -> Instant? {
        if !isResting { return transfer == nil && failure == nil ? attempts.retryAt : nil }
        guard rate > 0 else { return nil }
        let spare = bufferedEnd(from: playhead) - playhead - settings.bufferResume
        return now + .nanoseconds(Int64((Double(spare.wholeNanoseconds) / rate).rounded(.up)))
    }

    /// Begins the next request when there is one to make.
    mutating func load(
        playhead: Duration,
        at now: Instant,
        settings: PlatformProfile.Loading,
        output: inout PlayerOutput,
        request: (FetchID, _ url: String, FetchRange?, CommonMediaData.Object) -> FetchRequest
    ) {
        while !isLoadedToEnd, timeline.slots[loaded.upperBound].isGap {
            loaded = loaded.lowerBound..<loaded.upperBound + 1
        }
        let ahead = bufferedEnd(from: playhead) - playhead
        if isLoadedToEnd || ahead <= settings.bufferResume { isResting = false }
        guard !isLoadedToEnd, failure == nil, transfer == nil, attempts.allow(at: now) else { return }
        if ahead >= settings.bufferLimit { isResting = true }
        guard !isResting else { return }
        let slot = timeline.slots[loaded.upperBound]
        let needed: Target
        let address: (url: String, range: FetchRange?)
        let object: CommonMediaData.Object
        let resource: String
        if let wanted = slot.map, wanted != map?.address {
            needed = .map(wanted)
            address = (wanted.url, wanted.range)
            object = .initialization
            resource = "map"
        } else {
            needed = .segment(loaded.upperBound)
            address = (slot.url, slot.range)
            object = .media(tracks, slot.duration)
            resource = "segment"
        }
        attempts.begin()
        target = needed
        let id = output.fetch(resource) { request($0, address.url, address.range, object) }
        transfer = Transfer(id: id, url: address.url, range: address.range, began: now)
    }

    /// Takes in news of the request under way.
    mutating func receive(
        _ event: FetchEvent,
        item: ItemID,
        at now: Instant,
        settings: PlatformProfile.Loading,
        journal: inout ItemJournal,
        output: inout PlayerOutput
    ) {
        switch event {
        case .response(_, let response): transfer?.receive(response)
        case .data(_, let bytes): transfer?.receive(bytes)
        case .failed(_, let error):
            fail(PlaybackError(error), item: item, at: now, settings: settings, journal: &journal, output: &output)
        case .finished:
            switch transfer?.result() {
            case .success(let bytes):
                finish(bytes, item: item, at: now, journal: &journal, output: &output)
                if let failure {
                    journal.record(failure, uri: playlistURL, item: item, at: now, output: &output)
                }
            case .failure(let error):
                fail(error, item: item, at: now, settings: settings, journal: &journal, output: &output)
            case nil: break
            }
        }
    }

    private mutating func fail(
        _ error: PlaybackError,
        item: ItemID,
        at now: Instant,
        settings: PlatformProfile.Loading,
        journal: inout ItemJournal,
        output: inout PlayerOutput
    ) {
        journal.record(error, uri: transfer?.url ?? playlistURL, item: item, at: now, output: &output)
        transfer = nil
        target = nil
        if !attempts.fail(error, at: now, settings) { failure = error }
    }

    private mutating func finish(
        _ bytes: [UInt8],
        item: ItemID,
        at now: Instant,
        journal: inout ItemJournal,
        output: inout PlayerOutput
    ) {
        guard let transfer, let target else { return }
        self.transfer = nil
        self.target = nil
        attempts = Attempts()
        let took = now - transfer.began
        journal.update(uri: playlistURL, at: now) { entry in
            entry.requests += 1
            entry.bytes += bytes.count
            entry.serverAddress = transfer.response?.serverAddress ?? ""
        }
        let kind: DeliveredResource.Kind
        switch target {
        case .map(let address):
            kind = .map
            if let holds = inspect(bytes, initialization: nil, url: transfer.url) { map = (address, holds) }
        case .segment(let number):
            let slot = timeline.slots[number]
            kind = .segment(
                number: number,
                start: slot.start,
                duration: slot.duration,
                map: slot.map,
                startsDiscontinuity: slot.startsDiscontinuity
            )
            speed.add(media: slot.duration, took: took, bytes: bytes.count)
            journal.update(uri: playlistURL, at: now) { entry in
                entry.segments += 1
                entry.downloaded += slot.duration
                entry.transferTime += took
                if took > .zero { entry.observedBitrate.add(Double(bytes.count) * 8 / took.seconds) }
                if took > slot.duration { entry.overdueSegments += 1 }
            }
            let initialization = slot.map.flatMap { $0 == map?.address ? map?.holds : nil }
            if let holds = inspect(bytes, initialization: initialization, url: transfer.url) {
                let seen = ItemTracks(holds).union(initialization.map(ItemTracks.init) ?? ItemTracks(holds))
                tracks = tracks?.union(seen) ?? seen
            }
        }
        output.effects.append(
            .delivered(
                DeliveredResource(
                    item: item,
                    stream: role,
                    kind: kind,
                    url: transfer.url,
                    range: transfer.range,
                    bytes: bytes
                )
            )
        )
        guard case .segment(let number) = target, failure == nil else { return }
        loaded = loaded.lowerBound..<number + 1
        output.log(
            .segmentLoaded(
                item: item.description,
                stream: role.rawValue,
                number: number,
                bytes: bytes.count,
                start: timeline.slots[number].start.seconds,
                duration: timeline.slots[number].duration.seconds
            )
        )
    }

    /// Looks into what came; what cannot be read fails the stream.
    private mutating func inspect(
        _ bytes: [UInt8],
        initialization: SegmentInspection?,
        url: String
    ) -> SegmentInspection? {
        do {
            let holds = try SegmentInspector.inspect(bytes, initialization: initialization)
            guard !holds.tracks.contains(where: \.isEncrypted) else {
                failure = PlaybackError(.encrypted, "the media are encrypted, which is not supported: \(url)")
                return nil
            }
            return holds
        } catch {
            failure = PlaybackError(.media, 1, "\(error): \(url)")
            return nil
        }
    }
}

extension ItemTracks {
    fileprivate init(_ inspection: SegmentInspection) {
        self.init(hasVideo: inspection.hasVideo, hasAudio: inspection.hasAudio)
    }
}
