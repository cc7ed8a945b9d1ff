import SeguePlayer

/// As `SwitchWhenReady`, but holds the background task until the new item's time advances.
public final class SwitchUntilAudible: SwitchWhenReady {
    override var endsTaskWhenReady: Bool { false }

    override func startsPlaying() { endTask() }
}
