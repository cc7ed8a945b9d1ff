internal import SegueBase
internal import SegueEvents
internal import SegueFetch

/// Scanning of the current item, fast forward or backward, by single frames.
extension QueuePlayer {
    /// The reason for the end of a scan.
    enum ScanEnd: String, Sendable, CaseIterable {
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
    static let scanSpeeds = 2.0...64.0

    /// Begins to scan the current item at a multiple of normal speed, negative for backward.
    mutating func scan(rate: Double, at now: Instant) {
        settle(at: now)
        endScan(.command)
        if let reason = reasonNotToScan(rate) {
            context.log(.scanRefused(item: queue.current?.id.description ?? "", rate: rate, reason: reason))
        } else if let source = queue.items[0].client.iFrames(atSpeed: rate.magnitude) {
            stop("scan")
            queue.items[0].giveUpSeek(&context)
            queue.items[0].rest(&context)
            giveUpInterstitial()
            scan = FrameScan(source, rate: rate, from: queue.items[0].position)
        }
        settle(at: now)
    }

    private func reasonNotToScan(_ rate: Double) -> String? {
        guard profile.loading.support.scanning == .iFrames else { return "the platform does not scan" }
        guard QueuePlayer.scanSpeeds.contains(rate.magnitude) else { return "it is not a rate to scan at" }
        guard let current = queue.current, current.status == .readyToPlay else { return "no item is ready to play" }
        if isInterrupted { return "an interstitial plays" }
        return current.client.iFrames(atSpeed: rate.magnitude) == nil ? "the item has no I-frame playlist" : nil
    }

    /// Ends the scan, and continues at its position.
    mutating func endScan(at now: Instant) {
        settle(at: now)
        endScan(.command)
        settle(at: now)
    }

    /// Ends the scan, if there is one, and continues at its position.
    mutating func endScan(_ end: ScanEnd) {
        guard var ended = scan else { return }
        ended.stop(&context)
        scan = nil
        guard !queue.items.isEmpty else { return }
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
        guard position != former else { return }
        queue.items[0].choose(position, at: context.now)
        queue.items[0].leap(to: position, &context)
        let scheduled = queue.items[0].client.interstitials
        if !scheduled.isEmpty { interstitials.moved(scheduled, from: former, to: position) }
    }

    // MARK: What is due

    /// Advances the scan, and returns whether anything changed.
    mutating func followScan() -> Bool {
        guard scan != nil, let item = queue.current?.id.description else { return false }
        if queue.items[0].duration == nil { scan?.limits = queue.items[0].client.seekable }
        if let position = scan?.show(at: context.now) {
            context.log(.scanFrame(item: item, position: position.seconds))
        }
        if let end = scan?.endsAt, end <= context.now {
            let isForward = (scan?.rate ?? 1) > 0
            endScan(isForward ? .end : .start)
            return true
        }
        changeScan { scan, maker, context in scan.update(maker, &context) }
        return false
    }

    @discardableResult
    private mutating func changeScan<Result>(
        _ body: (inout FrameScan, RequestMaker, inout StepContext) -> Result
    ) -> Result? {
        guard var changed = scan, let id = queue.current?.id else { return nil }
        let source = MediaSource(item: id, url: queue.items[0].url, settings: profile.loading, session: session)
        let maker = RequestMaker(
            source,
            RequestMaker.State(rate: changed.rate.magnitude, bandwidth: changed.source.bandwidth)
        )
        scan = nil
        context.exchange(&queue.items[0].journal, of: id)
        defer {
            context.exchange(&queue.items[0].journal, of: id)
            scan = changed
        }
        return body(&changed, maker, &context)
    }

    /// Handles news of one of the scan's requests.
    mutating func handleForScan(_ event: FetchEvent) {
        let outcome = changeScan { scan, _, context in scan.receive(event, &context) }
        guard let item = queue.current?.id.description, let scan else { return }
        switch outcome {
        case .nothing, nil: break
        case .began:
            context.log(
                .scanBegan(item: item, position: scan.from.seconds, rate: scan.rate, url: scan.source.url)
            )
        case .failed(let error):
            if !scan.isMoving { context.log(.scanRefused(item: item, rate: scan.rate, reason: error.message)) }
            endScan(.failed)
        }
    }
}
