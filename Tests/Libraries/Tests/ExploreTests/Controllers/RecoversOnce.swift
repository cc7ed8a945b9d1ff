/// Goes on after a stall, the first one.
final class RecoversOnce: Radio {
    private var hasRecovered = false

    override func stalled() {
        guard !hasRecovered else { return }
        hasRecovered = true
        super.stalled()
    }
}
