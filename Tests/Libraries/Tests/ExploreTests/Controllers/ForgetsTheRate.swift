/// Plays by a call that sets the rate to normal.
final class ForgetsTheRate: Playlist {
    override func resume() { if mayPlay { player.play() } }
}
