internal import SegueBase
internal import SegueEvents
internal import SegueFetch
internal import SeguePlaylists

/// The assets of the current item's interstitials.
extension QueuePlayer {
    mutating func loadInterstitial() {
        guard interstitials.present != nil, let id = queue.current?.id else { return }
        let source = MediaSource(item: id, url: queue.items[0].url, settings: profile.loading, session: session)
        let maker = RequestMaker(
            source,
            RequestMaker.State(rate: rate)
        )
        context.exchange(&queue.items[0].journal, of: id)
        interstitials.present?.load(maker, &context)
        context.exchange(&queue.items[0].journal, of: id)
        makeAssets()
        let rate = stageRate
        for index in interstitials.present?.items.indices ?? 0..<0 {
            if interstitials.present?.items[index].client.hasBegun == false {
                interstitials.present?.items[index].begin()
                if let name = interstitials.present?.items[index].id.description {
                    context.log(.itemLoading(item: name))
                }
            }
            interstitials.present?.items[index].update(rate: rate, &context)
            if interstitials.present?.items[index].hasChanged == true {
                interstitials.present?.items[index].noteChange(&context)
            }
        }
    }

    /// Creates items for the current asset, and for the next one when the current one is loaded.
    private mutating func makeAssets() {
        while let present = interstitials.present, present.items.count < 2 {
            if let last = present.items.last, !last.client.isLoadedToEnd { return }
            let start = present.isOfOneAsset && present.joined > .zero ? present.joined : nil
            guard let url = interstitials.present?.nextAddress() else { return }
            var asset = makeItem(url: url, startingAt: start)
            asset.isVideoEnabled = queue.items[0].isVideoEnabled
            let preferences = queue.items[0].client.preferences
            asset.changePreferences { $0 = preferences }
            interstitials.present?.items.append(asset)
        }
    }

    /// Updates the assets from their clients, and returns whether anything changed.
    mutating func learnOfAssets() -> Bool {
        guard let count = interstitials.present?.items.count else { return false }
        var isChanged = false
        for index in (0..<count).reversed() {
            guard let asset = interstitials.present?.items[index], !asset.isFailed else { continue }
            let notices = context.notices.count
            let isRunning = index == 0 && isInterrupted && playhead.clock != nil
            let lesson = interstitials.present?.items[index].learn(
                isRunning: isRunning,
                showsPassingFailure: false,
                behindWindow: profile.playback.behindWindow,
                &context
            )
            context.notices.removeSubrange(notices...)
            switch lesson {
            case .nothing, nil: break
            case .changed: isChanged = true
            case .failed(let error):
                isChanged = true
                logInterstitialFailure(url: asset.url, error.message)
                fail(asset: index)
            }
            let rate = rate == 0 ? 1 : stageRate
            if let present = interstitials.present, index < present.items.count, present.items[index].client.hasBegun {
                interstitials.present?.items[index].noteBuffer(rate: rate, &context)
            }
        }
        return isChanged
    }

    /// Skips an asset that cannot be played, or not to its end (RFC 8216bis, D.5).
    private mutating func fail(asset index: Int) {
        if index == 0, isInterrupted {
            stop("failed")
            return endAsset()
        }
        interstitials.drop(asset: index, &context)
    }

    /// Ends the current asset.
    mutating func endAsset() {
        guard let asset = interstitials.present?.items.first else { return }
        interstitials.present?.played += asset.hasBegun ? asset.position - asset.began : .zero
        interstitials.present?.items[0].stop(&context)
        interstitials.present?.items[0].close(asset.isAtEnd ? .end : .removal, &context)
        interstitials.endAsset()
        interstitials.present?.awaitedSince = context.now
    }

    /// Logs the start of the current asset, once.
    mutating func logAssetStart() {
        guard let present = interstitials.present, let asset = present.items.first, !asset.hasBegun,
            let item = queue.current?.id.description
        else { return }
        context.log(
            .interstitialAssetBegan(
                item: item,
                interstitial: present.scheduled.id,
                asset: asset.id.description,
                url: asset.url
            )
        )
    }

    mutating func logInterstitialFailure(url: String, _ message: String) {
        guard let present = interstitials.present, let item = queue.current?.id.description else { return }
        context.log(.interstitialFailed(item: item, interstitial: present.scheduled.id, url: url, message: message))
    }

    /// Handles the playhead at the end of the asset, or at the limit of the interstitial.
    mutating func assetStopped(atLimit isLimit: Bool) {
        endAsset()
        if isLimit { endInterstitial(.limit) }
    }

    // MARK: News

    /// Returns whether a request belongs to an interstitial.
    func ownsForInterstitial(_ id: FetchID) -> Bool {
        guard let present = interstitials.present else { return false }
        return present.owns(id) || present.items.contains { $0.client.owns(id) }
    }

    /// Handles news of such a request, and returns whether there is something to do.
    mutating func handleForInterstitial(_ event: FetchEvent) -> Bool {
        if let index = interstitials.present?.items.firstIndex(where: { $0.client.owns(event.id) }) {
            return interstitials.present?.items[index].handle(event, &context) ?? false
        }
        guard let id = queue.current?.id, let list = interstitials.present?.scheduled else { return false }
        context.exchange(&queue.items[0].journal, of: id)
        let error = interstitials.present?.receive(event, session: session, &context)
        context.exchange(&queue.items[0].journal, of: id)
        if let error = error ?? nil {
            logInterstitialFailure(url: list.playlistURL, error.message)
            interstitials.present?.fail()
        }
        return event.isOutcome
    }

    /// Returns the instant of the next change of the interstitial without new input.
    func nextInterstitialChange(at now: Instant) -> Instant? {
        guard let present = interstitials.present else { return nil }
        var next = [present.nextChange, present.deadline].compactMap { $0 }.min()
        for index in present.items.indices {
            let item = present.items[index]
            let moves = index == 0 && isInterrupted && playhead.clock != nil
            let place = moves ? playhead.position(in: item, at: now) : item.loadingPosition
            let pace = moves ? playhead.clock?.rate ?? 0 : 0
            let change = item.client.nextChange(playhead: place, rate: pace, at: now)
            next = [next, change].compactMap { $0 }.min()
        }
        return next
    }
}
