internal import SegueBase
internal import SegueEvents
internal import SegueFetch
internal import SeguePlaylists

/// The assets of the current interstitial.
extension InterstitialPlayer {
    /// The rate of the player, and the speed that follows for what plays.
    struct Pace {
        let rate: Double
        let speed: Double
    }

    /// Changes the current asset.
    mutating func changeAsset<Result>(
        playhead: inout Playhead,
        _ context: inout StepContext,
        _ body: (inout PlayerItem, inout Playhead, inout StepContext) -> Result
    ) -> Result? {
        guard present?.items.isEmpty == false else { return nil }
        // The app has no knowledge of assets.
        let count = context.notices.count
        defer { context.notices.removeSubrange(count...) }
        return present?.changeAsset(playhead: &playhead, &context, body)
    }

    /// Changes every asset at hand.
    mutating func changeAssets(_ change: (inout PlayerItem) -> Void) {
        present?.changeAssets(change)
    }

    /// Stops the playhead of the current asset.
    mutating func stopAsset(_ reason: String, playhead: inout Playhead, _ context: inout StepContext) {
        changeAsset(playhead: &playhead, &context) { $1.stop(in: &$0, at: $2.now, reason: reason, &$2) }
    }

    // MARK: Loading

    /// Begins the requests that are due.
    mutating func load(in queue: inout ItemQueue, _ pace: Pace, _ context: inout StepContext) {
        guard present != nil, let source = queue.source(context.settings) else { return }
        let maker = RequestMaker(source, RequestMaker.State(rate: pace.rate))
        queue.lendLogs(&context) { present?.load(maker, &$0) }
        makeAssets(in: &queue, context.settings)
        present?.changeAssets { $0.loadAsset(rate: pace.speed, &context) }
    }

    /// Creates items for the current asset, and for the next one when the current one is loaded.
    private mutating func makeAssets(in queue: inout ItemQueue, _ settings: PlatformProfile.Loading) {
        while let current = present, current.items.count < 2 {
            if let last = current.items.last, !last.client.isLoadedToEnd { return }
            let start = current.isOfOneAsset && current.joined > .zero ? current.joined : nil
            guard let url = present?.nextAddress() else { return }
            var asset = queue.makeItem(url: url, startingAt: start, isExact: true, settings)
            asset.isVideoEnabled = queue.items[0].isVideoEnabled
            let preferences = queue.items[0].client.preferences
            asset.media.changePreferences { $0 = preferences }
            present?.items.append(asset)
        }
    }

    /// Updates the assets from their clients, and returns whether anything changed.
    mutating func learn(
        in queue: ItemQueue,
        _ pace: Pace,
        playhead: inout Playhead,
        _ context: inout StepContext
    ) -> Bool {
        guard let count = present?.items.count else { return false }
        var isChanged = false
        for index in (0..<count).reversed() {
            guard let asset = present?.items[index], !asset.isFailed else { continue }
            let notices = context.notices.count
            let isRunning = index == 0 && isOn && playhead.clock != nil
            let lesson = present?.items[index].learn(
                isRunning: isRunning,
                showsPassingFailure: false,
                behindWindow: behindWindow,
                &context
            )
            context.notices.removeSubrange(notices...)
            switch lesson {
            case .nothing, nil: break
            case .changed: isChanged = true
            case .failed(let error):
                isChanged = true
                logFailure(url: asset.url, error.message, in: queue, &context)
                fail(asset: index, playhead: &playhead, &context)
            }
            let rate = pace.rate == 0 ? 1 : pace.speed
            if let current = present, index < current.items.count, current.items[index].client.hasBegun {
                present?.items[index].noteBuffer(rate: rate, &context)
            }
        }
        return isChanged
    }

    /// Skips an asset that cannot be played, or not to its end (RFC 8216bis, D.5).
    private mutating func fail(asset index: Int, playhead: inout Playhead, _ context: inout StepContext) {
        guard index == 0, isOn else { return drop(asset: index, &context) }
        stopAsset("failed", playhead: &playhead, &context)
        endAsset(&context)
    }

    // MARK: Logs

    /// Logs the start of the current asset, once.
    func logAssetStart(in queue: ItemQueue, _ context: inout StepContext) {
        guard let present, let asset, !asset.hasBegun, let item = queue.current?.id.description else { return }
        context.log(
            .interstitialAssetBegan(
                item: item,
                interstitial: present.scheduled.id,
                asset: asset.id.description,
                url: asset.url
            )
        )
    }

    func logFailure(url: String, _ message: String, in queue: ItemQueue, _ context: inout StepContext) {
        guard let present, let item = queue.current?.id.description else { return }
        context.log(.interstitialFailed(item: item, interstitial: present.scheduled.id, url: url, message: message))
    }

    // MARK: News

    /// Returns whether a request belongs to an interstitial.
    func owns(_ id: FetchID) -> Bool {
        guard let present else { return false }
        return present.owns(id) || present.items.contains { $0.client.owns(id) }
    }

    /// Handles news of such a request, and returns whether there is something to do.
    mutating func handle(_ event: FetchEvent, in queue: inout ItemQueue, _ context: inout StepContext) -> Bool {
        if let index = present?.items.firstIndex(where: { $0.client.owns(event.id) }) {
            return present?.items[index].handle(event, &context) ?? false
        }
        guard !queue.items.isEmpty, let list = present?.scheduled else { return false }
        let session = queue.session
        let error = queue.lendLogs(&context) { present?.receive(event, session: session, &$0) }
        if let error = error ?? nil {
            logFailure(url: list.playlistURL, error.message, in: queue, &context)
            present?.fail()
        }
        return event.isOutcome
    }

    /// Returns the instant of the next change without new input.
    func nextChange(playhead: Playhead, at now: Instant) -> Instant? {
        guard let present else { return nil }
        var next = [present.nextChange, present.deadline].compactMap { $0 }.min()
        for index in present.items.indices {
            let item = present.items[index]
            let moves = index == 0 && isOn && playhead.clock != nil
            let place = moves ? playhead.position(in: item, at: now) : item.loadingPosition
            let pace = moves ? playhead.clock?.rate ?? 0 : 0
            let change = item.client.nextChange(playhead: place, rate: pace, at: now)
            next = [next, change].compactMap { $0 }.min()
        }
        return next
    }
}

extension PlayerItem {
    /// Loads as an asset, at the speed at which it plays.
    fileprivate mutating func loadAsset(rate: Double, _ context: inout StepContext) {
        if !client.hasBegun {
            media.begin()
            context.log(.itemLoading(item: id.description))
        }
        update(rate: rate, &context)
        if hasChanged { noteChange(&context) }
    }
}
