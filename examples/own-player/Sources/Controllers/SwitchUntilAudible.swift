import SeguePlayer

/// As `SwitchWhenReady`, but holds the background task until the new item's time advances.
public class SwitchUntilAudible: SwitchWhenReady {
    override var endsTaskWhenReady: Bool { false }

    override func startsPlaying() { endTask() }
}
