import SeguePlayer

/// Pauses after a minute of playback, as its user requested.
///
/// A play or pause by the user cancels that.
class SleepTimer: Playlist {
    private var timer: Task<Void, Never>?
    private var isAsleep = false

    func startTimer() {
        cancelTimer()
        timer = Task {
            var left = 60
            while left > 0 {
                try? await Task.sleep(for: .seconds(1))
                if Task.isCancelled { return }
                if player.timeControlStatus == .playing { left -= 1 }
            }
            super.pause()
            isAsleep = true
        }
    }

    func cancelTimer() { timer?.cancel() }

    override func play() {
        isAsleep = false
        cancelTimer()
        super.play()
    }

    override func pause() {
        cancelTimer()
        super.pause()
    }

    override func choose(_ index: Int) {
        isAsleep = false
        super.choose(index)
    }

    override func offer(to user: User) {
        super.offer(to: user)
        user.can("sleep timer") { self.startTimer() }
        user.can("cancel sleep timer") { self.cancelTimer() }
        user.expects("asleep", within: .seconds(2)) { [self] in !isAsleep || player.rate == 0 }
    }
}
