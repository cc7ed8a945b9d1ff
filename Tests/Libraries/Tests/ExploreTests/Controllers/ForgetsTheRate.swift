/// Plays with a call that resets the rate to normal.
final class ForgetsTheRate: Playlist {
    override func resume() { if mayPlay { player.play() } }
}
