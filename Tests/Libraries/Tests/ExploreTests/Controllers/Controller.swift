import SeguePlayer

/// What an app has around a player; what it has no button for does nothing.
@MainActor protocol Controller: AnyObject {
    var player: QueuePlayer { get }
    func play()
    func pause()
    func toggle()
    func stop()
    func next()
    func previous()
    func choose(_ index: Int)
    func seek(to place: Duration)
    func setRate(_ rate: Double)
    /// Shows its user the buttons that it has.
    func offer(to user: User)
}

extension Controller {
    func play() {}
    func pause() {}
    func toggle() { player.timeControlStatus == .paused ? play() : pause() }
    func stop() {}
    func next() {}
    func previous() {}
    func choose(_ index: Int) {}
    func seek(to place: Duration) {}
    func setRate(_ rate: Double) {}

    /// The buttons of an app that plays one thing.
    func offerPlaying(to user: User) {
        user.can(.play) { self.play() }
        user.can(.pause) { self.pause() }
        user.can(.toggle) { self.toggle() }
    }

    /// The buttons of an app that has a list.
    func offerList(_ titles: [[String]], to user: User) {
        user.titles = titles
        user.can(.next) { self.next() }
        user.can(.previous) { self.previous() }
        user.canChoose(titles.count) { self.choose($0) }
    }
}
