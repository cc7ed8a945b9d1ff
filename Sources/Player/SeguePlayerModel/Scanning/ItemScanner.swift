internal import SegueBase
internal import SegueEvents
internal import SegueFetch

/// Scans the current item, fast forward or backward, by single frames.
struct ItemScanner: Sendable {
    /// The reason for the end of a scan.
    enum End: String, Sendable, CaseIterable {
        /// The app ended it, or gave another command.
        case command
        /// It reached the start or the end of the item.
        case start, end
        /// Its playlist or its frames cannot be loaded.
        case failed
        /// The platform paused playback, or the item left the queue or failed.
        case interrupted
    }

    /// The valid magnitudes of scan rates.
    static let speeds = 2.0...64.0

    /// The scan of the current item, if any.
    private var scan: FrameScan?

    // MARK: Queries

    var isOn: Bool { scan != nil }

    /// Returns the position of the scan; nil if there is none.
    func position(at now: Instant) -> Duration? { scan?.position(at: now) }

    /// The instant of the next change without new input.
    var nextChange: Instant? { scan?.nextChange }

    /// The reason for the end of a scan that has reached an end of the item, if it has.
    func endReached(at now: Instant) -> End? {
        guard let scan, let end = scan.endsAt, end <= now else { return nil }
        return scan.rate > 0 ? .end : .start
    }

    func owns(_ id: FetchID) -> Bool { scan?.owns(id) == true }

    /// Returns the reason for which the current item cannot be scanned at a rate, if there is one.
    func refusal(
        of rate: Double,
        in queue: ItemQueue,
        isInterrupted: Bool,
        _ support: PlatformProfile.Support
    ) -> String? {
        guard support.scanning == .iFrames else { return "the platform does not support scanning" }
        guard ItemScanner.speeds.contains(rate.magnitude) else { return "the speed must be \(PlayerAct.scanSpeeds)" }
        guard let current = queue.current, current.status == .readyToPlay else { return "no item is ready to play" }
        if isInterrupted { return "an interstitial is playing" }
        return current.client.iFrames(atSpeed: rate.magnitude) == nil ? "the item has no I-frame playlist" : nil
    }

    // MARK: Updates

    /// Begins a scan of the current item, which has stopped.
    mutating func begin(
        rate: Double,
        from source: IFrameSource,
        in queue: inout ItemQueue,
        _ context: inout StepContext
    ) {
        queue.items[0].giveUpSeek(&context)
        queue.items[0].media.rest(&context)
        scan = FrameScan(source, rate: rate, from: queue.items[0].position)
    }

    /// Ends the scan, if there is one, and continues at its position.
    ///
    /// - Returns: The former position of the item if it has moved.
    mutating func end(_ end: End, in queue: inout ItemQueue, _ context: inout StepContext) -> Duration? {
        guard var ended = scan else { return nil }
        ended.stop(&context)
        scan = nil
        guard !queue.items.isEmpty else { return nil }
        let former = queue.items[0].position
        var position = ended.position(at: context.now)
        if let seekable = queue.items[0].client.seekable {
            position = min(max(position, seekable.start), seekable.end)
        }
        context.log(
            .scanEnded(
                item: queue.items[0].id.description,
                position: position.seconds,
                frames: ended.shown,
                reason: end.rawValue
            )
        )
        guard position != former else { return nil }
        queue.items[0].choose(position, at: context.now)
        queue.items[0].leap(to: position, &context)
        return former
    }

    /// Shows the frame that is due.
    mutating func show(in queue: ItemQueue, _ context: inout StepContext) {
        guard let item = queue.current else { return }
        if item.duration == nil { scan?.limits = item.client.seekable }
        if let position = scan?.show(at: context.now) {
            context.log(.scanFrame(item: item.id.description, position: position.seconds))
        }
    }

    /// Begins the request that is due.
    mutating func load(in queue: inout ItemQueue, _ context: inout StepContext) {
        guard let scan, let source = queue.source(context.settings) else { return }
        let state = RequestMaker.State(rate: scan.rate.magnitude, bandwidth: scan.source.bandwidth)
        let maker = RequestMaker(source, state)
        queue.lendLogs(&context) { self.scan?.update(maker, &$0) }
    }

    /// Handles news of one of its requests, and returns whether the scan has failed.
    mutating func handle(_ event: FetchEvent, in queue: inout ItemQueue, _ context: inout StepContext) -> Bool {
        guard let item = queue.current?.id.description else { return false }
        let outcome = queue.lendLogs(&context) { scan?.receive(event, &$0) }
        guard let scan, let outcome else { return false }
        switch outcome {
        case .nothing: return false
        case .began:
            context.log(
                .scanBegan(item: item, position: scan.from.seconds, rate: scan.rate, url: scan.source.url)
            )
            return false
        case .failed(let error):
            if !scan.isMoving { context.log(.scanRefused(item: item, rate: scan.rate, reason: error.message)) }
            return true
        }
    }
}
