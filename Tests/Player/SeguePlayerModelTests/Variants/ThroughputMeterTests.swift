import SegueBase
import Testing

@testable import SeguePlayerModel

@Suite struct `Throughput meter` {
    private func at(_ seconds: Double) -> Instant { Instant(seconds: seconds) }

    @Test func `counts the delay of a segment, which is short beside it`() {
        var meter = ThroughputMeter()
        meter.begin(at: at(1))
        meter.receive(100_000)
        meter.end(at: at(2))
        #expect(meter.bitsPerSecond == 800_000)
    }

    @Test func `counts no delay of what is short itself`() {
        var meter = ThroughputMeter()
        meter.begin(at: at(1))
        meter.answer(at: at(1.75))
        meter.receive(25_000)
        meter.end(at: at(2))
        #expect(meter.bitsPerSecond == 800_000)
    }

    @Test func `counts all the time in which something else was under way`() {
        var meter = ThroughputMeter()
        meter.begin(at: at(0))
        meter.begin(at: at(0.5))
        meter.answer(at: at(0.75))
        meter.receive(50_000)
        meter.end(at: at(1))
        #expect(meter.bitsPerSecond == 400_000)
    }
}
