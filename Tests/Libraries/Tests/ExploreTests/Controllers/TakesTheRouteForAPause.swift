/// Pauses at every change of the audio output, even to headphones.
final class TakesTheRouteForAPause: Playlist {
    override func routeChanged() { pause() }
}
