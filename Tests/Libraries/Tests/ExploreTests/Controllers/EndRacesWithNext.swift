/// Fades out before the next title, although the title may end meanwhile.
final class EndRacesWithNext: Playlist {
    override func next() {
        Task {
            try? await Task.sleep(for: .seconds(3))
            super.next()
        }
    }
}
