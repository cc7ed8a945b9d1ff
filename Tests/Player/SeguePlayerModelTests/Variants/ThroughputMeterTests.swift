import SegueBase
import Testing

@testable import SeguePlayerModel

@Suite struct `Throughput meter` {
    private func at(_ seconds: Double) -> Instant { Instant(seconds: seconds) }

    @Test func `includes the latency of a segment, which is relatively short`() {
        var meter = ThroughputMeter()
        meter.begin(at: at(1))
        meter.receive(100_000)
        meter.end(at: at(2))
        #expect(meter.bitsPerSecond == 800_000)
    }

    @Test func `excludes the latency of a short resource`() {
        var meter = ThroughputMeter()
        meter.begin(at: at(1))
        meter.answer(at: at(1.75))
        meter.receive(25_000)
        meter.end(at: at(2))
        #expect(meter.bitsPerSecond == 800_000)
    }

    @Test func `includes all the time in which another request was open`() {
        var meter = ThroughputMeter()
        meter.begin(at: at(0))
        meter.begin(at: at(0.5))
        meter.answer(at: at(0.75))
        meter.receive(50_000)
        meter.end(at: at(1))
        #expect(meter.bitsPerSecond == 400_000)
    }
}
