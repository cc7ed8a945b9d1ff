import SegueLiveMonitor
import Testing

@Suite struct WatchPeriodTests {
    @Test(
        arguments: [
            ("90s", 90), ("10min", 600), ("10m", 600), ("2h", 7200), ("3d", 259_200), ("1w", 604_800), ("0s", nil),
            ("s", nil),
            ("-1h", nil), ("10", nil), ("", nil), ("1.5h", nil), ("9223372036854775807d", nil), ("10 min", nil),
        ] as [(String, Int64?)]
    )
    func `a time is a whole number and a unit`(text: String, seconds: Int64?) {
        #expect(WatchPeriod.duration(text) == seconds.map { .seconds($0) })
    }
}
