import SeguePlayer

/// Seeks to the saved position when the title is ready, but saves its beginning repeatedly before that.
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
