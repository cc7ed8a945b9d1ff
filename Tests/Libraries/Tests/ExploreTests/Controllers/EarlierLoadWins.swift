import SeguePlayer

/// Asks a server for the URL of a title, and loads every response, in order of arrival.
final class EarlierLoadWins: Playlist {
    override func choose(_ index: Int) {
        isWanted = true
        Task {
            try? await Task.sleep(for: index == 0 ? .seconds(4) : .milliseconds(500))
            self.index = index
            begin()
        }
    }
}
