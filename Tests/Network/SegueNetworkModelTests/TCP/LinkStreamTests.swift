import SegueBase
import SegueData
import SegueNetworkModel
import Testing

@Suite struct `Streams over a simulated link` {
    private static func network(loss: Double = 0, queue: LinkProfile.Queue = .packets(1000)) -> LinkProfile {
        LinkProfile(
            name: "test",
            down: LinkProfile.Direction(bitsPerSecond: 5_000_000, delay: .milliseconds(40), loss: loss),
            up: LinkProfile.Direction(bitsPerSecond: 1_000_000, delay: .milliseconds(20), loss: loss),
            queue: queue
        )
    }

    /// The events of a connection to which both ends write at given times.
    private struct Story {
        var delivered: [LinkDirection: [Int]] = [.down: [], .up: []]
        var finished: [LinkDirection: Instant] = [:]
        var resets: [LinkDirection] = []
    }

    private enum Act { case write(Int, LinkDirection), finish(LinkDirection), close, abandon }

    private static func play(_ acts: [(Double, Act)], over profile: LinkProfile, seed: UInt64 = 1) -> Story {
        let link = SimulatedLink(profile, seed: seed)
        let connection = link.connect(at: .zero)
        var story = Story()
        func take(_ news: [(at: Instant, output: LinkOutput)]) {
            for (at, output) in news {
                switch output {
                case .delivered(connection, let direction, let bytes): story.delivered[direction]?.append(bytes)
                case .finished(connection, let direction): story.finished[direction] = at
                case .reset(connection, let direction): story.resets.append(direction)
                default: break
                }
            }
        }
        for (seconds, act) in acts {
            let now = Instant(seconds: seconds)
            while let next = link.nextInstant, next <= now { take(link.advance(to: next)) }
            switch act {
            case .write(let bytes, let direction): link.write(bytes, direction, on: connection, at: now)
            case .finish(let direction): link.finish(direction, on: connection, at: now)
            case .close: link.close(connection, at: now)
            case .abandon: link.abandon(connection, at: now)
            }
        }
        while let next = link.nextInstant { take(link.advance(to: next)) }
        return story
    }

    @Test(arguments: 0..<40)
    func `all bytes arrive in order in both directions, whatever is lost`(number: Int) {
        var random = SeededRandom(seed: UInt64(number))
        let loss = [0, 0.01, 0.1][number % 3]
        let queue: LinkProfile.Queue = number % 2 == 0 ? .packets(1000) : .packets(8)
        var totals: [LinkDirection: Int] = [:]
        var acts: [(Double, Act)] = []
        var time = 0.0
        for _ in 0..<60 {
            let direction: LinkDirection = Bool.random(using: &random) ? .down : .up
            let most = [10, 2000, 40_000].randomElement(using: &random) ?? 1
            let bytes = Int.random(in: 1...most, using: &random)
            totals[direction, default: 0] += bytes
            acts.append((time, .write(bytes, direction)))
            time += Double.random(in: 0...0.2, using: &random)
        }
        let first: LinkDirection = number % 4 < 2 ? .up : .down
        acts += [(time, .finish(first)), (time + 1, .write(5000, first.opposite)), (time + 2, .finish(first.opposite))]
        totals[first.opposite, default: 0] += 5000
        let story = Self.play(acts, over: Self.network(loss: loss, queue: queue), seed: UInt64(number))
        for direction in LinkDirection.allCases {
            let delivered = story.delivered[direction] ?? []
            #expect(delivered == delivered.sorted() && Set(delivered).count == delivered.count)
            #expect(delivered.last == totals[direction])
            #expect(story.finished[direction] != nil)
        }
        #expect(story.resets.isEmpty)
    }

    @Test func `the server's first bytes wait for the handshake`() throws {
        let story = Self.play([(0, .write(100, .down)), (0, .finish(.down))], over: Self.network())
        #expect(story.delivered[.down] == [100])
        // SYN up, answer down, acknowledgement up, and then the bytes down: twice 20 ms and twice 40 ms, and 74, 74,
        // 66, and 166 bytes on lines of 1 and 5 Mbit/s.
        let expected = 0.120 + (74.0 + 66) * 8 / 1e6 + (74.0 + 166) * 8 / 5e6
        #expect(abs(try #require(story.finished[.down]).seconds - expected) < 1e-6)
    }

    @Test func `a reset arrives after the bytes in flight, and discards the rest`() {
        let whole = 3_000_000
        let story = Self.play([(0, .write(whole, .down)), (1, .abandon)], over: Self.network())
        #expect(story.resets == [.down])
        let delivered = story.delivered[.down]?.last ?? 0
        #expect(delivered > 100_000 && delivered < whole)
        let closed = Self.play([(0, .write(whole, .down)), (1, .close)], over: Self.network())
        #expect(closed.resets == [.up])
    }

    @Test func `a receiver that consumes nothing stops the sender until it does`() {
        let link = SimulatedLink(Self.network(), seed: 1, receiveWindow: .fixed(100_000))
        let connection = link.connect(at: .zero)
        link.write(1_000_000, .down, on: connection, at: .zero)
        var delivered = 0
        func run(isTaking: Bool) {
            while let next = link.nextInstant {
                for case (_, .delivered(connection, .down, let bytes)) in link.advance(to: next) {
                    delivered = bytes
                    if !isTaking { link.hold(bytes, .down, on: connection, at: next) }
                }
            }
        }
        run(isTaking: false)
        #expect(delivered > 90_000 && delivered <= 200_000)
        link.hold(0, .down, on: connection, at: Instant(seconds: 60))
        run(isTaking: true)
        #expect(delivered == 1_000_000)
    }

    @Test func `an unanswered handshake fails`() {
        var profile = Self.network()
        profile.up.loss = 0.999_999
        let link = SimulatedLink(profile, seed: 1)
        let connection = link.connect(at: .zero)
        var outputs: [LinkOutput] = []
        var last = Instant.zero
        while let next = link.nextInstant {
            outputs += link.advance(to: next).map(\.output)
            last = next
        }
        #expect(outputs == [.unanswered(connection)])
        // As in Linux: 1 + 2 + 4 + … + 128 s.
        #expect(last == Instant(seconds: 255))
    }
}
