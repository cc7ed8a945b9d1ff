import SeguePlayer

/// Its reactions to calls, headphones, and the background.
extension Listener {
    func hear(_ news: News) {
        switch news {
        case .device(let news): hear(news)
        case .player(.timeControlStatusChanged(let status)): change(to: status)
        case .player: break
        }
    }

    private func hear(_ news: DeviceNotification) {
        switch news {
        case .interruptionBegan: isInterrupted = true
        case .interruptionEnded(let shouldResume):
            isInterrupted = false
            if shouldResume, isWanted { play() } else { giveUp() }
        case .routeChanged: if status != .paused, player.rate == 0, mayPlay { giveUp() }
        case .mediaServicesWereReset:
            if isInterrupted { giveUp() }
            isInterrupted = false
            renew()
        case .didEnterBackground: move(away: true)
        case .didBecomeActive: move(away: false)
        case .backgroundTaskExpired: hold.end()
        case .willResignActive, .willEnterForeground, .didReceiveMemoryWarning, .powerStateDidChange: break
        }
    }

    private func change(to status: QueuePlayer.TimeControlStatus) {
        self.status = status
        guard isAway, isWanted else { return hold.end() }
        if status == .playing { hold.release() } else { hold.begin() }
    }

    private func move(away isAway: Bool) {
        self.isAway = isAway
        resume()
        change(to: status)
    }

    private func giveUp() {
        isWanted = false
        hold.end()
    }
}
