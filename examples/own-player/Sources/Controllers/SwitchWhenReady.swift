import SeguePlayer

/// Switches to the audio alone if it was playing in willResignActive, and plays it when it is ready; until then, it
/// holds a background task.
public class SwitchWhenReady: PatientController {
    override func didEnterBackground() {
        guard isUsable, wasPlaying else { return }
        guard player.currentItem?.hasVideo != false else { return player.play() }
        guard hasSound else { return }
        isSwitched = true
        beginTask()
        goOver(to: .sound, playing: true)
    }
}
