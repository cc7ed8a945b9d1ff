import SeguePlayer

/// Begins to observe the time whenever it plays, and never ends that.
final class ObservesAtEachPlay: Playlist {
    private var shown = Duration.zero

    override func resume() {
        super.resume()
        if mayPlay { _ = player.addPeriodicTimeObserver(forInterval: .seconds(1)) { self.shown = $0 } }
    }
}
