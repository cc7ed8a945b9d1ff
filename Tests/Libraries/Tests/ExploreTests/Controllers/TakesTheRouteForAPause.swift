/// Pauses whenever the sound goes elsewhere, to the headphones that were put in as well.
final class TakesTheRouteForAPause: Playlist {
    override func routeChanged() { pause() }
}
