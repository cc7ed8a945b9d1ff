/// Hides the timer that its user cancels, and lets it run.
final class CannotCancelSleep: SleepTimer {
    override func cancelTimer() {}
}
