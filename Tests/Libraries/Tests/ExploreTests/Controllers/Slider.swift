import SeguePlayer

/// A list with a slider that seeks while it is dragged, with any tolerance.
final class Slider: Playlist {
    private static let tolerance = Duration.seconds(2)
    private var drag: Task<Void, Never>?

    override func load(from place: Duration = .zero) {
        drag?.cancel()
        super.load(from: place)
    }

    /// Releases the slider even if no title follows.
    override func next() {
        drag?.cancel()
        if isLast { go() } else { super.next() }
    }

    override func stop() {
        drag?.cancel()
        super.stop()
    }

    override func seek(to place: Duration) {
        drag?.cancel()
        super.seek(to: place)
    }

    /// Drags the slider to a position.
    private func draw(to place: Duration) {
        let start = self.place
        drag?.cancel()
        (target, hasEnded) = (place, false)
        guard item?.status == .readyToPlay else { return }
        drag = Task {
            for part in 1...3 {
                let stop = start + (place - start) * part / 4
                if max(stop - place, place - stop) > .seconds(25) { land(at: stop) }
                try? await Task.sleep(for: .milliseconds(150))
                if Task.isCancelled { return }
            }
            go()
        }
    }

    private func land(at stop: Duration) {
        guard let item, item.status == .readyToPlay else { return }
        player.cancelPendingSeeks()
        Task {
            guard item === self.item, item.status == .readyToPlay else { return }
            await player.seek(to: stop, toleranceBefore: nil, toleranceAfter: nil)
        }
    }

    override func go() {
        guard let item, let target else { return }
        player.cancelPendingSeeks()
        Task {
            guard item === self.item, item.status == .readyToPlay, target == self.target else { return }
            let (before, after) = (Self.tolerance, Self.tolerance)
            let hasLanded = await player.seek(to: target, toleranceBefore: before, toleranceAfter: after)
            if hasLanded, item === self.item, target == self.target { self.target = nil }
        }
    }

    override func offer(to user: User) {
        super.offer(to: user)
        user.canSeek { self.draw(to: $0) }
    }
}
