/// Does not know that the media services may die, and plays what it had.
final class IgnoresTheReset: Playlist {
    override func servicesWereReset() { isInterrupted = false }
    override func failed() {}

    override func play() {
        isWanted = true
        if item == nil { load() } else { player.rate = rate }
    }
}
