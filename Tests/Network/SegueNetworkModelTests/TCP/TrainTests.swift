import SegueBase
import Testing

@testable import SegueNetworkModel

@Suite struct `A train of segments` {
    private static func network(
        _ megabits: Int64,
        delay: Int,
        queue: LinkProfile.Queue = .packets(1000),
        handovers: [LinkProfile.Spell] = []
    ) -> LinkProfile {
        var network = LinkProfile(
            name: "n",
            down: .init(bitsPerSecond: megabits * 1_000_000, delay: .milliseconds(delay), loss: 0),
            up: .init(bitsPerSecond: 1_000_000, delay: .milliseconds(delay), loss: 0),
            queue: queue
        )
        network.handovers = handovers
        return network
    }

    /// A link with a response of 3 MB in progress, half a second after the request.
    private static func download(on network: LinkProfile, flows: Bool = true) -> (SimulatedLink, LinkConnection) {
        let link = SimulatedLink(network, seed: 1)
        link.flows = flows
        let connection = link.connect(at: .zero)
        link.request(bytes: 80, on: connection, at: .zero)
        _ = run(link, until: Instant(seconds: 0.5))
        return (link, connection)
    }

    /// The outputs until an instant; each request is answered with 3 MB.
    private static func run(_ link: SimulatedLink, until limit: Instant) -> [String] {
        var told: [String] = []
        while let next = link.nextInstant, next <= limit {
            for (at, output) in link.advance(to: limit, stopsAtNews: true) {
                told.append("\(at.nanoseconds) \(output)")
                guard case .requested(let connection) = output else { continue }
                link.respond(headBytes: 250, bodyBytes: 3_000_000, on: connection, at: at)
            }
        }
        return told
    }

    @Test func `forms from a steady download, and ends with any action of the owner`() {
        let (link, connection) = Self.download(on: Self.network(10, delay: 20))
        #expect(link.train?.connection == connection)
        #expect(!link.isQuiet && link.nextInstant != nil)
        link.close(connection, at: Instant(seconds: 0.5))
        #expect(link.train == nil)
    }

    @Test func `carries a response from its beginning`() throws {
        let link = SimulatedLink(Self.network(10, delay: 20), seed: 1)
        let connection = link.connect(at: .zero)
        link.request(bytes: 80, on: connection, at: .zero)
        var asked: Instant?
        while asked == nil, let next = link.nextInstant {
            asked = link.advance(to: next).first { $0.output == .requested(connection) }?.at
        }
        let now = try #require(asked)
        #expect(link.train == nil)
        link.respond(headBytes: 250, bodyBytes: 3_000_000, on: connection, at: now)
        #expect(link.advance(to: now).isEmpty)
        #expect(link.train?.connection == connection)
    }

    @Test func `ends when another connection begins`() {
        let (link, _) = Self.download(on: Self.network(10, delay: 20))
        _ = link.connect(at: Instant(seconds: 0.5))
        #expect(link.train == nil)
    }

    /// Applies an action half a second after the beginning of a download to two links, one of which works packet by
    /// packet.
    private static func after(_ network: LinkProfile, _ act: (SimulatedLink, LinkConnection) -> Void) -> [[String]] {
        [true, false].map { flows in
            let (link, connection) = download(on: network, flows: flows)
            act(link, connection)
            let told = run(link, until: Instant(seconds: 60))
            return told + ["\(link.counts(.down)) \(link.counts(.up)) \(link.isQuiet) \(link.nextInstant == nil)"]
        }
    }

    @Test(arguments: [(60, 1), (1, 1), (1, 100), (200, 0)])
    func `gives the same outputs when the network changes`(megabits: Int, delay: Int) {
        let now = Instant(seconds: 0.5)
        let stories = Self.after(Self.network(10, delay: 80)) { link, _ in
            link.become(Self.network(Int64(megabits), delay: delay), at: now)
        }
        #expect(stories[0] == stories[1])
        #expect(stories[0].count > 1000)
    }

    @Test func `ends with its connection in a handover`() {
        let network = Self.network(10, delay: 20, handovers: [.init(start: .seconds(1), length: .milliseconds(200))])
        let stories = Self.after(network) { _, _ in }
        #expect(stories[0] == stories[1])
        #expect(stories[0].contains { $0.contains("reset") })
    }

    @Test(arguments: [20, 60, 120])
    func `loses the same packets in a full queue`(packets: Int) {
        let stories = Self.after(Self.network(10, delay: 40, queue: .packets(packets))) { _, _ in }
        #expect(stories[0] == stories[1])
        #expect(stories[0].last.map { !$0.contains("dropped: 0) LaneCounts") } ?? false)
    }

    /// A random network with any rates, delays, queue, and radio, with or without changes and losses.
    private static func network(_ random: inout SeededRandom) throws -> LinkProfile {
        func way() throws -> LinkProfile.Direction {
            var rate = Rate.constant(Int64.random(in: 200_000...80_000_000, using: &random))
            if Int.random(in: 0..<4, using: &random) == 0 {
                let steps = (0..<5).map { step in
                    let bits = Int64.random(in: 0...20_000_000, using: &random)
                    return RateCourse.Step(start: Int64(step) * 100_000_000, bitsPerSecond: step == 0 ? bits + 1 : bits)
                }
                rate = .changing(try #require(RateCourse(steps, period: 500_000_000)))
            }
            let delay = Duration.microseconds(Int.random(in: 0...100_000, using: &random))
            let loses = Int.random(in: 0..<4, using: &random) == 0
            return LinkProfile.Direction(rate: rate, delay: delay...delay, loss: loses ? 0.01 : 0)
        }
        let most = Int.random(in: 10...1500, using: &random)
        return LinkProfile(
            name: "n",
            down: try way(),
            up: try way(),
            queue: Bool.random(using: &random) ? .packets(most) : .bytes(most * 1000)
        )
    }

    @Test(arguments: 1...40)
    func `gives the same outputs on any network with any actions`(seed: Int) throws {
        func story(flows: Bool) throws -> [String] {
            var random = SeededRandom(seed: UInt64(seed))
            let (link, connection) = Self.download(on: try Self.network(&random), flows: flows)
            var told: [String] = []
            var now = Instant(seconds: 0.5)
            for _ in 0..<12 {
                now = now + .nanoseconds(Int64.random(in: 0...1_000_000_000, using: &random))
                told += Self.run(link, until: now)
                told.append("\(link.load(.down, at: now)) \(link.load(.up, at: now))")
                switch Int.random(in: 0..<9, using: &random) {
                case 0: link.become(try Self.network(&random), at: now)
                case 1: link.request(bytes: 80, on: link.connect(at: now), at: now)
                case 2: link.write(Int.random(in: 1...40_000, using: &random), .down, on: connection, at: now)
                case 3:
                    let bytes = Int.random(in: 1...200_000, using: &random)
                    link.expect(bytes: bytes, orFrom: now + .milliseconds(500), on: connection)
                case 5: link.stopTaking(.down, on: connection, at: now)
                case 6: link.hold(0, .down, on: connection, at: now)
                case 7: link.hold(Int.random(in: 0...200_000, using: &random), .down, on: connection, at: now)
                default: break
                }
            }
            told += Self.run(link, until: Instant(seconds: 100))
            return told + ["\(link.counts(.down)) \(link.counts(.up)) \(link.isQuiet)"]
        }
        let (swift, slow) = (try story(flows: true), try story(flows: false))
        #expect(swift == slow)
    }

    @Test func `gives the same outputs for a second request`() {
        let stories = Self.after(Self.network(20, delay: 30)) { link, connection in
            _ = Self.run(link, until: Instant(seconds: 10))
            link.request(bytes: 80, on: connection, at: Instant(seconds: 10))
        }
        #expect(stories[0] == stories[1])
    }
}
