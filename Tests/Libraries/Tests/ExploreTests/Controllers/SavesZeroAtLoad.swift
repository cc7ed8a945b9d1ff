import SeguePlayer

/// Goes to the saved place once the title is ready; until then the place that is saved again and again is its beginning.
final class SavesZeroAtLoad: Audiobook {
    override func begin() {
        retries = Retries()
        load()
    }

    override func ready() {
        if target == nil, let place = places[index] { target = place }
        super.ready()
    }
}
