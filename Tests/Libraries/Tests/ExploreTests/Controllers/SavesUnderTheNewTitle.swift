/// Saves the place when the title has changed already.
final class SavesUnderTheNewTitle: Audiobook {
    override func leave(for index: Int) {
        self.index = index
        save()
    }
}
