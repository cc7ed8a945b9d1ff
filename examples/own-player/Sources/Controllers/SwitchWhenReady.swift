import SeguePlayer

/// Switches to the audio alone if it was playing in willResignActive, and plays it when it is ready; until then, it
/// holds a background task.
public class SwitchWhenReady: PatientController {
    override func didEnterBackground() {
        guard isUsable, wasPlaying else { return }
        guard player.currentItem?.hasVideo != false else { return player.play() }
        guard hasAudio else { return }
        isSwitched = true
        beginTask()
        switchItem(to: .audio, playing: true)
    }
}
