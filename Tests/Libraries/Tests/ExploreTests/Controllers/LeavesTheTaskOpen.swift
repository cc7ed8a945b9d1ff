/// Asks to run on while something loads in the background, until it plays; when it never does, nothing ends that.
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
