import SeguePlayer

/// Keeps the audio alone loaded at the playhead, so that the switch needs no network; on return, the audio continues
/// until the full rendition is loaded.
public final class SwitchPreloaded: SwitchUntilAudible {
    private var loaded: PlayerItem?
    /// True if the app is back, and the audio continues until the full rendition is loaded.
    private var isReturning = false

    /// The item preloaded for the current one; nil if it was used or has left the queue.
    private var spare: PlayerItem? { player.items.dropFirst().first { $0 === loaded } }

    private var isSpareReady: Bool { spare?.status == .readyToPlay }

    override func willResignActive() {
        super.willResignActive()
        // The app left again before the switch back was complete.
        if isReturning { isSwitched = true }
        isReturning = false
    }

    override func beginTask() { if !isSpareReady { super.beginTask() } }

    override func switchItem(to rendition: Title.Rendition, playing: Bool) {
        guard isSpareReady else { return super.switchItem(to: rendition, playing: playing) }
        playsWhenReady = false
        replaceCurrentItem(with: rendition)
        if playing { player.play() }
    }

    override func replaceCurrentItem(with rendition: Title.Rendition) {
        if let spare, spare.status != .failed, self.rendition(of: spare) == rendition {
            player.advanceToNextItem()
            replaceTheRest(with: rendition)
        } else {
            super.replaceCurrentItem(with: rendition)
        }
    }

    override func didBecomeActive() {
        guard isSwitched, isUsable, player.rate != 0, !playsWhenReady else { return super.didBecomeActive() }
        endTask()
        (isSwitched, isReturning) = (false, true)
        if isSpareReady { finishReturning() } else { load(.full) }
    }

    private func finishReturning() {
        isReturning = false
        replaceCurrentItem(with: .full)
        load(.audio)
    }

    override func makeCurrentAgain(_ item: PlayerItem) {
        guard isReturning else { return super.makeCurrentAgain(item) }
        isReturning = false
        replaceCurrentItem(with: .full)
    }

    override func isReady(_ item: PlayerItem) {
        super.isReady(item)
        if item === player.currentItem {
            if !isAway, !isSwitched, item.hasVideo == true { load(.audio) }
        } else if item === spare, isReturning {
            finishReturning()
        }
    }

    override func hasFailed(_ item: PlayerItem) {
        if item === spare { player.remove(item) } else { super.hasFailed(item) }
    }

    private func load(_ rendition: Title.Rendition) {
        guard let current = player.currentItem, self.rendition(of: current) != rendition, spare == nil,
            let url = address(of: current, as: rendition)
        else { return }
        let item = PlayerItem(url: url)
        loaded = item
        player.insert(item, following: current)
    }
}
