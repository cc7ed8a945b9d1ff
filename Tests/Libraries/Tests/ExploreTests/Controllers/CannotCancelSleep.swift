/// Hides the timer that its user cancels, and keeps it running.
final class CannotCancelSleep: SleepTimer {
    override func cancelTimer() {}
}
