/// Resumes only after the first stall.
final class RecoversOnce: Radio {
    private var hasRecovered = false

    override func stalled() {
        guard !hasRecovered else { return }
        hasRecovered = true
        super.stalled()
    }
}
