import SeguePlayer

/// Advances to the next title when one fails, and after the last one to the first, without a delay and without an end.
final class SkipsForEver: Playlist {
    private var failures = 0

    override func failed() {
        failures += 1
        index = (index + 1) % urls.count
        begin()
    }

    override func changed() {
        super.changed()
        if status == .playing { failures = 0 }
    }

    override func offer(to user: User) {
        super.offer(to: user)
        user.expects("gives up", within: .zero) { [self] in failures <= urls.count }
    }
}
