internal import SegueBase
internal import SegueEvents
internal import SegueFetch
internal import SeguePlaylists

/// Loads an item that is a single file, or an endless audio stream.
///
/// It holds the head of a file until the layout is known, and of the rest only the number of bytes. Data are delivered
/// in parts. It acts only when called, and requests and news leave through the step context.
// Size: one state machine; each of its parts changes the open request, the held range, and the phase together.
struct ProgressiveClient: Sendable {
    enum Phase: Sendable {
        case idle
        /// The head of the file, or another place with its layout, is loading. The server may announce internet radio.
        case opening(LayoutReader, isAnnouncedRadio: Bool = false)
        case file(MediaLayout)
        case radio(Radio)
        case failed(PlaybackError)
    }

    let source: MediaSource
    var preferences: LoadingPreferences
    var phase = Phase.idle
    var served = ServedFile()
    var transfer: ByteTransfer?
    var attempts = Attempts()
    var meter = ProgressMeter()

    /// The held bytes of the file.
    var held: Range<Int64> = 0..<0

    /// The data to deliver.
    var parts: PartCollector

    /// True if loading is paused because enough is buffered.
    var isResting = false

    /// The permanent failure of the rest.
    ///
    /// Loaded media can still be played.
    var lateFailure: PlaybackError?

    /// The last known position of the playhead, or the start position.
    var anchor: Duration

    /// The rate at the last update.
    var lastRate = 0.0

    /// A client for an item whose first response was not a playlist.
    init(_ source: MediaSource, startingAt position: Duration?, preferences: LoadingPreferences, transfer: Transfer) {
        self.source = source
        self.preferences = preferences
        anchor = position ?? .zero
        parts = PartCollector(url: source.url)
        self.transfer = ByteTransfer(
            id: transfer.id,
            range: transfer.range,
            began: transfer.began,
            patience: transfer.patience,
            heldEnd: 0
        )
        self.transfer?.isProbe = transfer.range != nil
        phase = .opening(LayoutReader(length: nil))
    }

    var item: ItemID { source.item }

    var url: String { source.url }

    var settings: PlatformProfile.Loading { source.settings }

    // MARK: State

    var hasBegun: Bool { if case .idle = phase { false } else { true } }

    var layout: MediaLayout? { if case .file(let layout) = phase { layout } else { nil } }

    /// True if the server ended the stream.
    var hasEnded: Bool { radio?.hasEnded ?? false }

    var radio: Radio? { if case .radio(let radio) = phase { radio } else { nil } }

    var isEndless: Bool { radio != nil && !hasEnded }

    var duration: Duration? { layout?.duration ?? (hasEnded ? radio?.held.upperBound : nil) }

    /// The seekable range; nil before the layout is known, and for an endless stream.
    var seekable: (start: Duration, end: Duration)? { layout.map { (.zero, $0.duration) } }

    var start: Duration? {
        if let layout { return min(anchor, layout.duration) }
        return radio == nil ? nil : anchor
    }

    var tracks: ItemTracks? {
        if let layout { return ItemTracks(hasVideo: layout.hasVideo, hasAudio: layout.hasAudio) }
        return radio.flatMap { $0.held.isEmpty ? nil : ItemTracks(hasVideo: false, hasAudio: true) }
    }

    var failure: PlaybackError? { if case .failed(let error) = phase { error } else { lateFailure } }

    var isSpeedKnown: Bool { meter.speed.mediaPerSecond != nil || isLoadedToEnd }

    /// The bit rate of the media, limited to 10^15, whatever a file claims.
    var bitrate: Int {
        guard let layout, layout.duration > .zero else { return 0 }
        return Int(min(Double(layout.map.end) * 8 / layout.duration.seconds, 1e15))
    }

    /// The end of the bytes that are needed.
    var neededEnd: Int64 { min(served.length ?? .max, layout?.map.end ?? .max) }

    var isLoadedToEnd: Bool { layout == nil ? hasEnded : held.upperBound >= neededEnd }

    func bufferedEnd(from position: Duration) -> Duration {
        if let layout {
            return min(layout.duration, max(position, layout.map.time(of: held, from: position) ?? layout.duration))
        }
        guard let radio, radio.held.lowerBound <= position else { return position }
        return max(position, radio.held.upperBound)
    }

    /// The buffer limits at which loading pauses and resumes.
    var ahead: (most: Duration, least: Duration) {
        guard preferences.forwardBuffer > .zero else {
            // A file does not consist of segments. If the limits are equal, loading resumes after a while, not
            // immediately.
            let least = settings.buffering.bufferLimit - min(.seconds(1), settings.buffering.bufferLimit / 2)
            let isAtOnce = settings.buffering.bufferResume == settings.buffering.bufferLimit
            return (settings.buffering.bufferLimit, isAtOnce ? least : settings.buffering.bufferResume)
        }
        return (preferences.forwardBuffer, min(settings.buffering.bufferResume, preferences.forwardBuffer / 2))
    }

    /// Returns the positions around another one at which video can begin; nil if it can anywhere.
    func segmentBounds(at position: Duration) -> (start: Duration, end: Duration)? {
        guard let layout,
            let next = layout.map.keyTimes.firstIndex(where: { $0 > position })
                ?? layout.map.keyTimes.indices.last?.advanced(by: 1),
            next > 0
        else { return nil }
        let times = layout.map.keyTimes
        return (times[next - 1], next < times.count ? times[next] : layout.duration)
    }

    func isLikelyToKeepUp(from position: Duration, rate: Double, at now: Instant) -> Bool {
        let ahead = bufferedEnd(from: position) - position
        guard ahead > .zero else { return false }
        if isLoadedToEnd || isResting || failure != nil || ahead >= settings.starting.keepUpEnough { return true }
        guard ahead >= settings.starting.keepUpLeast, let loading = meter.speed.mediaPerSecond else { return false }
        // A live stream arrives as fast as it plays, so no more than the buffer can ever be available.
        if radio != nil { return loading >= 0.9 * rate }
        let speed = loading / max(rate, 0.01)
        let rest = (layout?.duration ?? position) - position
        return speed >= settings.starting.keepUpMargin || ahead.seconds >= rest.seconds * (1 - speed)
    }

    func nextChange(playhead: Duration, rate: Double, at now: Instant) -> Instant? {
        // Must match `update`: if nothing is missing, a failed request is not retried.
        guard hasBegun, failure == nil, !isLoadedToEnd else { return nil }
        if !isResting { return transfer == nil ? attempts.retryAt : nil }
        guard rate > 0 else { return nil }
        let spare = bufferedEnd(from: playhead) - playhead - ahead.least
        return now + Duration(reckonedNanoseconds: (Double(spare.wholeNanoseconds) / rate).rounded(.up))
    }

    func owns(_ id: FetchID) -> Bool { transfer?.id == id }

    // MARK: Commands

    mutating func begin() {
        guard case .idle = phase else { return }
        phase = .opening(LayoutReader(length: nil))
        served = ServedFile()
    }

    mutating func move(to position: Duration, _ context: inout StepContext) {
        anchor = position
        if changeRadio({ $0.release(before: position) }) != nil { return }
        guard let layout else { return }
        let needed = layout.map.offset(of: position)
        if held.contains(needed) || needed == held.upperBound {
            held = needed..<held.upperBound
        } else {
            jump(to: needed, &context)
        }
    }

    /// Loads from an offset on that is not held.
    mutating func jump(to offset: Int64, _ context: inout StepContext) {
        held = offset..<offset
        lateFailure = nil
        isResting = false
        if let transfer, transfer.refusal == nil, transfer.next <= offset {
            // The open request will reach it soon, or the server supports no ranges.
            if served.takesRanges == false || offset - transfer.next <= Self.shortWay { return }
        }
        attempts = Attempts()
        cancel(&context)
    }

    mutating func stop(at position: Duration, _ context: inout StepContext) -> any MediaClient {
        let hasFailed = failure != nil
        changeRadio { radio in
            if hasFailed { radio.follow(.failed, &context) }
            radio.follow(.quit, &context)
            radio.follow(.silent, &context)
        }
        cancel(&context)
        held = 0..<0
        parts = PartCollector(url: source.url)
        anchor = position
        isResting = false
        lateFailure = nil
        attempts = Attempts()
        phase = .idle
        return self
    }

    mutating func cancel(_ context: inout StepContext) {
        guard let transfer else { return }
        context.cancel(transfer.id)
        handOn(&context)
        self.transfer = nil
    }

    mutating func follow(_ control: TimeControl, _ context: inout StepContext) {
        changeRadio { $0.follow(control, &context) }
    }

    mutating func handOn(_ context: inout StepContext) { parts.handOn(&context) }

    /// Changes the stream in place, if there is one.
    @discardableResult
    mutating func changeRadio<Result>(_ body: (inout Radio) -> Result) -> Result? {
        guard case .radio(var radio) = phase else { return nil }
        // A single reference avoids a copy of the data on each change.
        phase = .idle
        defer { phase = .radio(radio) }
        return body(&radio)
    }

    /// The maximum distance for which an open request is continued instead of a new one.
    static let shortWay: Int64 = 128 << 10
}

extension ProgressiveClient: MediaClient {
    var indicatedBitrate: Int { bitrate }

    var playlistURL: String { url }
}
