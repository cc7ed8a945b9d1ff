/// Ignores a reset of the media services, and plays its old items.
final class IgnoresTheReset: Playlist {
    override func servicesWereReset() { isInterrupted = false }
    override func failed() {}

    override func play() {
        isWanted = true
        if item == nil { load() } else { player.rate = rate }
    }
}
