import SeguePlayer

/// An app around a player.
///
/// A button that it does not have does nothing.
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
    /// Declares its buttons.
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

    /// Declares the buttons of an app that plays one title.
    func offerPlaying(to user: User) {
        user.can(.play) { self.play() }
        user.can(.pause) { self.pause() }
        user.can(.toggle) { self.toggle() }
    }

    /// Declares the buttons of an app with a list.
    func offerList(_ titles: [[String]], to user: User) {
        user.titles = titles
        user.can(.next) { self.next() }
        user.can(.previous) { self.previous() }
        user.canChoose(titles.count) { self.choose($0) }
    }

    /// Declares all buttons of an app with a list, or of a radio, which has only those of one title.
    func offerEverything(_ urls: [String], isRadio: Bool, to user: User) {
        offerPlaying(to: user)
        guard !isRadio else { return }
        offerList(urls.map { [$0] }, to: user)
        user.canSeek { self.seek(to: $0) }
        user.canSetRate([1, 1.5, 2]) { self.setRate($0) }
    }
}
