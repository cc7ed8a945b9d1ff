import SeguePlayer

/// Adds a time observer at each play, and never removes it.
final class ObservesAtEachPlay: Playlist {
    private var shown = Duration.zero

    override func resume() {
        super.resume()
        if mayPlay { _ = player.addPeriodicTimeObserver(forInterval: .seconds(1)) { self.shown = $0 } }
    }
}
