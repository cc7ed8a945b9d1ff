import SeguePlayer

/// Removes played items from its queue, and forgets that the rest moves up by one.
final class IndexShifts: Playlist {
    private lazy var queue = urls

    override var url: String { queue[index] }
    override var isLast: Bool { index >= queue.count - 1 }

    override func ended() {
        guard !isLast else { return super.ended() }
        let played = index
        index += 1
        queue.remove(at: played)
        index = min(index, queue.count - 1)
        begin()
    }

    override func choose(_ index: Int) {
        queue = urls
        super.choose(index)
    }

    override func restart() {
        queue = urls
        super.restart()
    }
}
