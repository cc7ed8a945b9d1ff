import SeguePlayer

/// Switches to another title when ten seconds of it are buffered, and continues the current one until then.
final class Preloader: Playlist {
    private var ahead: PlayerItem?
    private var loading: Task<Void, Never>?

    override func begin() {
        guard let item, mayPlay, player.timeControlStatus == .playing else { return super.begin() }
        forget()
        let next = PlayerItem(url: url)
        ahead = next
        player.insert(next, after: item)
        loading = Task {
            // A user who has chosen a title does not wait forever.
            for _ in 0..<14 where next.buffered < .seconds(10) && next.status != .failed {
                try? await Task.sleep(for: .milliseconds(500))
                if Task.isCancelled { return }
            }
            switchToNext()
        }
    }

    private func forget() {
        loading?.cancel()
        if let ahead { player.remove(ahead) }
        ahead = nil
    }

    private func switchToNext() {
        guard let ahead else { return }
        loading?.cancel()
        (item, self.ahead, target) = (ahead, nil, nil)
        retries = Retries()
        player.advanceToNextItem()
        if ahead.status == .failed { failed() } else { resume() }
    }

    /// If another title is loading, it starts from its beginning.
    override func load(from place: Duration = .zero) {
        let place = ahead == nil ? place : .zero
        forget()
        super.load(from: place)
    }

    override func pause() {
        super.pause()
        switchToNext()
    }

    override func stop() {
        super.stop()
        forget()
    }

    override func seek(to place: Duration) {
        switchToNext()
        super.seek(to: place)
    }

    override func giveUp() {
        super.giveUp()
        switchToNext()
    }

    override func ended() { if ahead == nil { super.ended() } else { switchToNext() } }
    override func failed() { if ahead == nil { super.failed() } else { switchToNext() } }

    override func interruptionBegan() {
        super.interruptionBegan()
        switchToNext()
    }
}
