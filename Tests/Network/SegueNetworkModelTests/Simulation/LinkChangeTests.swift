import SegueBase
import SegueNetworkModel
import Testing

@Suite struct `Change of a link's network` {
    private static func network(_ kilobits: Int64, delay: Int) -> LinkProfile {
        LinkProfile(
            name: "test",
            down: LinkProfile.Direction(bitsPerSecond: kilobits * 1000, delay: .milliseconds(delay)),
            up: LinkProfile.Direction(bitsPerSecond: kilobits * 1000, delay: .milliseconds(delay))
        )
    }

    /// The end of a download of 500 kB whose network changes after a while.
    private static func finish(
        _ first: LinkProfile,
        _ second: LinkProfile?,
        at change: Double
    ) -> (seconds: Double, bytes: Int) {
        let link = SimulatedLink(first, seed: 1)
        let connection = link.connect(at: .zero)
        link.write(500_000, .down, on: connection, at: .zero)
        link.finish(.down, on: connection, at: .zero)
        var (bytes, end) = (0, 0.0)
        func take(_ outputs: [(at: Instant, output: LinkOutput)]) {
            for (at, output) in outputs {
                if case .delivered(_, _, let count) = output { bytes = count }
                if case .finished = output { end = at.seconds }
            }
        }
        let instant = Instant(seconds: change)
        while let next = link.nextInstant, next <= instant { take(link.advance(to: next)) }
        if let second { link.become(second, at: instant) }
        while let next = link.nextInstant { take(link.advance(to: next)) }
        return (end, bytes)
    }

    @Test func `to the same one has no effect`() {
        let slow = Self.network(800, delay: 50)
        let (plain, changed) = (Self.finish(slow, nil, at: 2), Self.finish(slow, slow, at: 2))
        #expect(changed.bytes == 500_000)
        #expect(abs(plain.seconds - changed.seconds) < 0.02)
    }

    @Test func `lets queued packets leave at the new rate`() {
        // 523 kB with headers at 100 kB per second; after 2 s the rest runs a hundred times as fast, or ten times
        // slower.
        let slow = Self.network(800, delay: 50)
        let fast = Self.finish(slow, Self.network(80_000, delay: 50), at: 2)
        #expect(fast.bytes == 500_000)
        #expect(fast.seconds > 2 && fast.seconds < 4)
        let slower = Self.finish(slow, Self.network(80, delay: 50), at: 2)
        #expect(slower.bytes == 500_000)
        #expect(slower.seconds > 30)
    }

    @Test func `starts the new network's own time`() {
        var broken = Self.network(800, delay: 50)
        broken.outages = [LinkProfile.Spell(start: .seconds(1), length: .seconds(10))]
        let plain = Self.finish(Self.network(800, delay: 50), nil, at: 2)
        let late = Self.finish(Self.network(800, delay: 50), broken, at: 2)
        #expect(late.bytes == 500_000)
        #expect(abs(late.seconds - plain.seconds - 10) < 0.5)
    }

    @Test func `keeps counts of packets, losses, and drops, and the queue's load`() {
        var profile = Self.network(800, delay: 50)
        profile.queue = .packets(5)
        let link = SimulatedLink(profile, seed: 1)
        let connection = link.connect(at: .zero)
        link.write(100_000, .down, on: connection, at: .zero)
        _ = link.advance(to: Instant(seconds: 0.17))
        let load = link.load(.down, at: Instant(seconds: 0.17))
        #expect(load.packets > 0 && load.packets <= 5 && load.delay > .zero)
        while let next = link.nextInstant, next.seconds < 10 { _ = link.advance(to: next) }
        let counts = link.counts(.down)
        #expect(counts.dropped > 0 && counts.lost == 0 && counts.packets >= 70)
        #expect(link.load(.down, at: Instant(seconds: 100)) == LaneLoad(packets: 0, bytes: 0, delay: .zero))
    }
}
