/// Holds a background task while an item loads in the background, until it plays, which may be never.
final class LeavesTheTaskOpen: Playlist {
    private var isHeld = false

    override func changed() {
        if status == .playing, isHeld {
            device.endBackgroundTask()
            isHeld = false
        } else if status != .playing, isAway, isWanted, !isHeld {
            device.beginBackgroundTask()
            isHeld = true
        }
    }
}
