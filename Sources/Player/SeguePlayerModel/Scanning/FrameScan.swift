internal import SegueBase
internal import SegueFetch
internal import SeguePlaylists

/// A scan of an item by its I-frames: its position, the frame it shows, and its next request.
///
/// It requests one frame at a time: the one at which the scan will be when it arrives, according to the duration of the
/// last request, or the next one if the link is faster. An early frame is shown when the scan reaches it. A live
/// playlist is reloaded meanwhile.
struct FrameScan: Sendable {
    /// The result of news.
    enum Outcome {
        case nothing
        /// The playlist has arrived, and the scan moves.
        case began
        /// The scan cannot continue.
        case failed(PlaybackError)
    }

    /// The maximum number of consecutive frames that may fail.
    private static let mostFailures = 5

    /// The multiple of normal speed, negative for backward.
    let rate: Double

    let source: IFrameSource

    /// The start position.
    let from: Duration

    /// The number of frames shown.
    private(set) var shown = 0

    /// The playable range of a live item; nil for an item with an end.
    var limits: (start: Duration, end: Duration)?

    private var load: PlaylistLoad
    private var playlist: StreamPlaylist?
    private var movedAt = Instant.zero
    private var transfer: Transfer?
    private var isForMap = false
    private var map: MapAddress?
    /// The last requested frame, which may have left the playlist since.
    private var asked: (number: Int, slot: SegmentTimeline.Slot)?
    /// The start of the frame that will be shown next, and its instant.
    private var ready: (start: Duration, at: Instant)?
    private var took = Duration.zero
    private var failures = 0

    init(_ source: IFrameSource, rate: Double, from position: Duration) {
        (self.source, self.rate, from) = (source, rate, position)
        load = PlaylistLoad(url: source.url)
    }

    // MARK: Position

    /// True if the playlist has arrived, so that the scan moves.
    var isMoving: Bool { playlist != nil }

    private var timeline: SegmentTimeline? { playlist?.timeline }

    /// The available range; nil before the playlist has arrived.
    private var bounds: (start: Duration, end: Duration)? {
        guard let timeline else { return nil }
        let start = max(timeline.start, limits?.start ?? timeline.start)
        return (start, max(start, min(timeline.end, limits?.end ?? timeline.end)))
    }

    /// Returns its position, within the available range.
    func position(at now: Instant) -> Duration {
        guard let bounds else { return from }
        let moved = Duration(reckonedNanoseconds: (Double((now - movedAt).wholeNanoseconds) * rate).rounded())
        return min(max(from + moved, bounds.start), bounds.end)
    }

    /// The instant at which it reaches an end; nil if it does not move.
    var endsAt: Instant? {
        bounds.map { instant(of: rate > 0 ? $0.end : $0.start) }
    }

    private func instant(of position: Duration) -> Instant {
        let way = Double((position - from).wholeNanoseconds) / rate
        return movedAt + max(.zero, Duration(reckonedNanoseconds: way.rounded(.up)))
    }

    // MARK: Due work

    /// The instant of the next change without new input.
    var nextChange: Instant? {
        guard isMoving else { return load.nextChange }
        return [ready?.at, endsAt, playlist?.nextChange].compactMap { $0 }.min()
    }

    func owns(_ id: FetchID) -> Bool { transfer?.id == id || load.owns(id) || playlist?.owns(id) == true }

    /// Begins the request that is due.
    mutating func update(_ maker: RequestMaker, _ context: inout StepContext) {
        guard isMoving else { return load.load(&context) { maker.playlist($0, $1) } }
        playlist?.load(maker, &context)
        guard transfer == nil, ready == nil, let (number, slot) = next(at: context.now) else { return }
        let wanted = slot.map.flatMap { $0 == map ? nil : $0 }
        isForMap = wanted != nil
        if !isForMap { asked = (number, slot) }
        let request = context.begin(wanted == nil ? "i-frame" : "map") { id in
            wanted.map { maker.initialization(id, $0) } ?? maker.frame(id, slot)
        }
        map = slot.map
        transfer = Transfer(request, began: context.now)
    }

    /// Returns the next frame to request, if any is left.
    private func next(at now: Instant) -> (Int, SegmentTimeline.Slot)? {
        guard let timeline else { return nil }
        var number = timeline.segment(at: position(at: now + took))
        if let asked { number = rate > 0 ? max(number, asked.number + 1) : min(number, asked.number - 1) }
        while number >= timeline.first, number < timeline.upper {
            let slot = timeline.slot(number)
            if !slot.isGap { return (number, slot) }
            number += rate > 0 ? 1 : -1
        }
        return nil
    }

    /// Returns the start of the frame to show now, if any.
    mutating func show(at now: Instant) -> Duration? {
        guard let ready, ready.at <= now else { return nil }
        self.ready = nil
        shown += 1
        return ready.start
    }

    // MARK: News

    /// Handles news of one of its requests.
    mutating func receive(_ event: FetchEvent, _ context: inout StepContext) -> Outcome {
        guard transfer?.id == event.id else { return receivePlaylist(event, &context) }
        switch event {
        case .response(_, let response): transfer?.receive(response, at: context.now)
        case .data(let id, let bytes):
            transfer?.receive(bytes)
            guard let failure = transfer?.look(at: context.now) else { return .nothing }
            context.cancel(id)
            return fail(failure.error, &context)
        case .failed(_, let error): return fail(PlaybackError(error), &context)
        case .finished:
            guard let transfer else { return .nothing }
            switch transfer.result() {
            case .failure(let failure): return fail(failure.error, &context)
            case .success(let bytes):
                context.note(source.url) { $0.add(answerOf: bytes.count, from: transfer.response?.serverAddress ?? "") }
                self.transfer = nil
                if !isForMap { came(in: context.now - transfer.began, at: context.now) }
            }
        }
        return .nothing
    }

    private mutating func came(in time: Duration, at now: Instant) {
        guard let slot = asked?.slot else { return }
        (took, failures) = (time, 0)
        ready = (slot.start, max(now, instant(of: rate > 0 ? slot.start : slot.end)))
    }

    private mutating func fail(_ error: PlaybackError, _ context: inout StepContext) -> Outcome {
        context.record(error, uri: transfer?.url ?? source.url)
        if isForMap { map = nil }
        transfer = nil
        failures += 1
        return failures < FrameScan.mostFailures ? .nothing : .failed(error)
    }

    private mutating func receivePlaylist(_ event: FetchEvent, _ context: inout StepContext) -> Outcome {
        guard !isMoving else { return receiveReload(event, &context) }
        guard let result = load.receive(event, importing: source.variables, &context) else { return .nothing }
        do throws(PlaybackError) {
            let arrival = try result.get()
            let media = try arrival.media("the I-frame playlist is a multivariant playlist")
            guard media.isIFramesOnly else {
                throw PlaybackError(.unreadable, "the playlist is not an I-frame playlist: \(arrival.url)")
            }
            let timeline = try SegmentTimeline(
                media,
                from: arrival.url,
                encryption: context.settings.support.encryption,
                beside: source.beside
            )
            playlist = StreamPlaylist(url: arrival.url, timeline: timeline)
            playlist?.came(began: arrival.began)
            movedAt = context.now
            return .began
        } catch {
            return .failed(error)
        }
    }

    private mutating func receiveReload(_ event: FetchEvent, _ context: inout StepContext) -> Outcome {
        do throws(PlaybackError) {
            _ = try playlist?.receive(event, importing: source.variables, laidAnew: nil, &context)
            return .nothing
        } catch {
            return .failed(error)
        }
    }

    /// Cancels every request.
    mutating func stop(_ context: inout StepContext) {
        load.stop(&context)
        playlist?.stop(&context)
        if let transfer { context.cancel(transfer.id) }
        transfer = nil
    }
}
