import SegueBase
import SegueConformance
import Testing

@Suite struct LongWatchTests {
    @Test(arguments: [Stage.Kind.plain, .lowLatency])
    func `memory does not grow with time`(kind: Stage.Kind) {
        let (short, _, _) = Stage(kind: kind).watch(for: 200)
        let (long, findings, _) = Stage(kind: kind).watch(for: 1200)
        #expect(findings == [])
        #expect(size(long) < size(short) * 3 / 2)
    }

    /// The length of a value's full description.
    private func size(_ watch: StreamWatch) -> Int {
        var text = ""
        dump(watch, to: &text)
        return text.utf8.count
    }
}
