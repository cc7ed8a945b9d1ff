import SegueBase
import Testing

@testable import SegueNetworkModel

@Suite struct `Settings of tc for a network` {
    private func plan(_ rest: String, hasNetem: Bool = true) throws -> NetemPlan? {
        NetemPlan(try LinkProfile(yaml: "name: ferry\n\(rest)\n", file: "ferry.yaml"), hasNetem: hasNetem)
    }

    private static let threeG = """
        down: { rate: 780 kbit/s, delay: 100 ms, loss: 1 % }
        up: { rate: 330 kbit/s, delay: 105 ms }
        queue: 1000 packets
        """

    @Test func `queue before the router, and delay and lose packets behind it`() throws {
        let plan = try #require(try plan(Self.threeG))
        let down = plan.settings(.down, at: .zero)
        #expect(down.queue == ["netem", "rate", "780000bit", "limit", "1000"])
        #expect(down.way == ["netem", "delay", "100000us", "loss", "1.0%", "limit", "1000000"])
        #expect(down.until == nil)
        #expect(plan.settings(.up, at: .zero).way == ["netem", "delay", "105000us", "limit", "1000000"])
        #expect(plan.leftOut.isEmpty)
        #expect(plan.initialWindow == nil)
    }

    @Test func `express jitter and bursts for netem`() throws {
        let down = "down: { rate: 1 Mbit/s, delay: 50 ms, jitter: { spread: 10 ms, distribution: pareto }, "
        let bursts = "bursts: { begin: 1 %, end: 25 %, loss: 80 % } }\nup: { rate: 1 Mbit/s }"
        let way = try #require(try plan(down + bursts)).settings(.down, at: .zero).way
        #expect(way?.prefix(5) == ["netem", "delay", "50000us", "10000us", "distribution"])
        #expect(way?.dropFirst(5).prefix(7) == ["pareto", "loss", "gemodel", "1.0%", "25.0%", "80.0%", "0.0%"])
    }

    @Test func `need netem only for delay and loss`() throws {
        #expect(try plan(Self.threeG, hasNetem: false) == nil)
        #expect(try plan("down: { rate: 1 Mbit/s, loss: 1 % }\nup: { rate: 1 Mbit/s }", hasNetem: false) == nil)
        let line = try #require(
            try plan("down: { rate: 16 Mbit/s }\nup: { rate: 1 Mbit/s }\nqueue: 75700 bytes", hasNetem: false)
        )
        let settings = line.settings(.down, at: .zero)
        #expect(settings.queue == ["tbf", "rate", "16000000bit", "burst", "10000", "limit", "75700"])
        #expect(settings.way == nil)
        #expect(line.settings(.up, at: .zero).queue?.prefix(5) == ["tbf", "rate", "1000000bit", "burst", "3028"])
    }

    @Test func `have no queue without a rate`() throws {
        let plan = try #require(try plan("down: { rate: unlimited }\nup: { rate: 1 Mbit/s }"))
        #expect(plan.settings(.down, at: .zero).queue == nil)
        #expect(plan.settings(.up, at: .zero).queue != nil)
    }

    /// A changing rate uses `tbf`, which applies it when a packet departs; nothing departs during an outage.
    @Test func `follow an outage`() throws {
        let rest = "down: { rate: 2 Mbit/s }\nup: { rate: 1 Mbit/s }\noutages: [{ at: 10 s, for: 15 s }]"
        let plan = try #require(try plan(rest))
        let rates = [0, 10, 25].map { plan.settings(.down, at: .zero + .seconds($0)) }
        #expect(rates.map { $0.queue?[2] } == ["2000000bit", "64bit", "2000000bit"])
        #expect(rates.map { $0.queue?[0] } == ["tbf", "tbf", "tbf"])
        #expect(rates.map(\.until) == [.zero + .seconds(10), .zero + .seconds(25), nil])
    }

    @Test func `list unsupported properties`() throws {
        let rest = "down: { rate: 2 Mbit/s, delay: 150-550 ms }\nup: { rate: 1 Mbit/s }\ndns: 20 ms\ninitial-window: 4"
        let plan = try #require(try plan(rest))
        #expect(plan.leftOut.count == 2)
        #expect(plan.leftOut.first?.contains("middle of the range") == true)
        #expect(plan.settings(.down, at: .zero).way?.prefix(3) == ["netem", "delay", "350000us"])
        #expect(plan.initialWindow == 4)
    }
}
