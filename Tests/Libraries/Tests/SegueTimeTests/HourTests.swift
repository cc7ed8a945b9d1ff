import AppHour
import SegueTime
import Testing

/// An hour of a controller that uses all common interfaces, with the same result each time.
@Suite struct HourTests {
    @MainActor private func hour(seed: UInt64) async throws -> [String] {
        let controller = HourController()
        let elapsed = try await virtualTime(seed: seed) {
            try await controller.run()
            return VirtualTime.elapsed
        }
        #expect(elapsed == .seconds(3600))
        return controller.events
    }

    @Test func `an hour is the same each time`() async throws {
        let first = try await hour(seed: 0)
        #expect(first.count(where: { $0.hasSuffix("beat") }) == 120)
        #expect(first.count(where: { $0.contains("part") }) == 240)
        #expect(first.count(where: { $0.contains("poll") }) == 514)
        #expect(first.count(where: { $0.hasSuffix("half") }) == 1)
        for _ in 0..<50 { #expect(try await hour(seed: 0) == first) }
        let other = try await hour(seed: 7)
        #expect(try await hour(seed: 7) == other)
        // The count of a poll depends on the order, and nothing else does.
        let parts = { (events: [String]) in events.filter { !$0.contains("poll") }.sorted() }
        #expect(parts(other) == parts(first) && other != first)
    }
}
