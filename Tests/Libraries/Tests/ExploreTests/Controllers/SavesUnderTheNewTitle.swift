/// Saves the position when the title has already changed.
final class SavesUnderTheNewTitle: Audiobook {
    override func leave(for index: Int) {
        self.index = index
        save()
    }
}
