/// Fades out before the next title, and does not mind that the title may end by itself meanwhile.
final class EndRacesWithNext: Playlist {
    override func next() {
        Task {
            try? await Task.sleep(for: .seconds(3))
            super.next()
        }
    }
}
