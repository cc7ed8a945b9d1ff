import SegueBase
import Testing

@testable import SegueSuite

@Suite struct StandstillWatchTests {
    @Test func `a standstill counts only while the script waits and nothing plays`() {
        var watch = StandstillWatch(limit: .seconds(10))
        var isOver = [watch.isOver(played: .zero, at: Instant(seconds: 100))]
        watch.isWaiting = true
        for (played, now) in [(0, 109.0), (1, 110), (1, 119), (1, 120)] {
            isOver.append(watch.isOver(played: .seconds(played), at: Instant(seconds: now)))
        }
        #expect(isOver == [false, false, false, false, true])
    }
}
