import SeguePlayer

/// Switches to the audio alone if it was playing in willResignActive, and plays it when it is ready; until then, it
/// holds a background task.
public class SwitchWhenReady: PatientController {
    private var holdsTask = false

    override func didEnterBackground() {
        guard isUsable, wasPlaying else { return }
        guard player.currentItem?.hasVideo != false else { return player.play() }
        guard hasSound else { return }
        isSwitched = true
        beginTask()
        goOver(to: .sound, playing: true)
    }

    override func didBecomeActive() {
        endTask()
        super.didBecomeActive()
    }

    override func isReady(_ item: PlayerItem) {
        super.isReady(item)
        if item === player.currentItem { endTask() }
    }

    override func hasFailed(_ item: PlayerItem) {
        super.hasFailed(item)
        // If the item was recreated, wait for the new one.
        if item === player.currentItem { endTask() }
    }

    override func backgroundTaskExpired() { holdsTask = false }

    func beginTask() {
        holdsTask = true
        device.beginBackgroundTask()
    }

    func endTask() {
        guard holdsTask else { return }
        holdsTask = false
        device.endBackgroundTask()
    }
}
