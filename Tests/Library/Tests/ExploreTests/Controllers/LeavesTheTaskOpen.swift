/// Asks to run on while something loads in the background, until it plays; when it never does, nothing ends that.
final class LeavesTheTaskOpen: Playlist {
    override func changed() {
        if status == .playing { return device.endBackgroundTask() }
        if isAway, isWanted { device.beginBackgroundTask() }
    }
}
