import SegueBase
import SegueData
import SegueNetworkModel
import Testing

@Suite struct `An unread response` {
    /// A client with two responses that stops reading the first one.
    private struct Story {
        /// The time of the second response, from the beginning of its handshake.
        var second = 0.0
        /// The unread bytes of the first response at the end of the second.
        var held = 0
        /// The time until 300,000 more bytes of the first response were read.
        var later = 0.0

        /// Reads a part of the first response, then the second one completely, and then the rest of the first one.
        init(over network: LinkProfile, window: ReceiveWindow, before: Int, size: Int) throws {
            var client = Client(link: SimulatedLink(network, seed: 1, receiveWindow: window))
            let first = client.ask(for: 20_000_000)
            if before > 0 { try client.run(first, until: before) }
            client.link.stopTaking(.down, on: first, at: client.now)
            let taken = client.come[first] ?? 0
            let began = client.now
            let other = client.ask(for: size)
            try client.run(other, until: size + Client.head)
            second = (client.now - began).seconds
            held = (client.come[first] ?? 0) - taken
            let done = client.now
            client.link.hold(0, .down, on: first, at: done)
            try client.run(first, until: taken + 300_000)
            later = (client.now - done).seconds
        }
    }

    private struct Client {
        static let head = 50
        let link: SimulatedLink
        var now = Instant.zero
        var come: [LinkConnection: Int] = [:]
        private var sizes: [LinkConnection: Int] = [:]
        private var connected: Set<LinkConnection> = []

        init(link: SimulatedLink) { self.link = link }

        mutating func ask(for size: Int) -> LinkConnection {
            let connection = link.connect(at: now)
            link.request(bytes: 40, on: connection, at: now)
            sizes[connection] = size
            while !connected.contains(connection), let next = link.nextInstant { step(to: next) }
            return connection
        }

        mutating func run(_ connection: LinkConnection, until bytes: Int) throws {
            while come[connection, default: 0] < bytes {
                step(to: try #require(link.nextInstant, "nothing comes any more"))
            }
        }

        mutating func run() { while let next = link.nextInstant { step(to: next) } }

        private mutating func step(to instant: Instant) {
            now = max(now, instant)
            for (at, output) in link.advance(to: now) {
                switch output {
                case .connected(let connection): connected.insert(connection)
                case .requested(let connection):
                    link.respond(headBytes: Self.head, bodyBytes: sizes[connection] ?? 0, on: connection, at: at)
                case .received(let connection, let bytes): come[connection] = bytes
                default: break
                }
            }
        }
    }

    private static func network(_ kilobits: Int64, delay: Int) -> LinkProfile {
        LinkProfile(
            name: "n",
            down: .init(bitsPerSecond: kilobits * 1000, delay: .milliseconds(delay)),
            up: .init(rate: .unlimited, delay: .milliseconds(delay)...(.milliseconds(delay)))
        )
    }

    /// Measurements of Linux 6.18 behind a router's tbf, two runs each; see `Measured/README.md`.
    @Test(arguments: [
        (780, 0, second: 5.284, held: 93_117, later: 2.222), (780, 30, second: 5.355, held: 94_093, later: 2.265),
        (2000, 0, second: 2.066, held: 93_381, later: 0.867), (2000, 30, second: 2.135, held: 91_477, later: 0.940),
    ])
    func `takes the same share of the line as in Linux`(
        kilobits: Int64,
        delay: Int,
        second: Double,
        held: Int,
        later: Double
    ) throws {
        let story = try Story(over: Self.network(kilobits, delay: delay), window: .tuned, before: 0, size: 400_000)
        #expect(abs(story.second / second - 1) < 0.01)
        #expect(abs(Double(story.held) / Double(held) - 1) < 0.04)
        #expect(abs(story.later / later - 1) < 0.02)
    }

    @Test func `stops at a fixed window, however much was read before`() throws {
        for before in [0, 300_000] {
            let network = Self.network(2000, delay: 30)
            let story = try Story(over: network, window: .fixed(64 << 10), before: before, size: 400_000)
            #expect(story.held > (64 << 10) - 1448 && story.held <= 64 << 10)
        }
    }

    @Test func `has a larger window with more bytes read per round trip`() throws {
        let network = Self.network(2000, delay: 30)
        let story = try Story(over: network, window: .tuned, before: 300_000, size: 1_000_000)
        // A round trip of 60 ms is 15 kB, and about 40 kB with the queue of slow start: twice as much, or three times
        // while doubling.
        #expect(story.held > 150_000 && story.held < 400_000)
    }

    /// A response on an idle line with a window of 64 KiB, unread until it stops.
    private static func stopped() throws -> (link: SimulatedLink, connection: LinkConnection, held: Int) {
        var client = Client(link: SimulatedLink(network(2000, delay: 30), seed: 1, receiveWindow: .fixed(64 << 10)))
        let connection = client.ask(for: 1_000_000)
        client.link.stopTaking(.down, on: connection, at: client.now)
        client.run()
        return (client.link, connection, client.come[connection] ?? 0)
    }

    /// The bytes read, and whether the sender is informed: not for less than a sixteenth of the window, 4096 bytes.
    @Test(arguments: [(1000, false), (3000, false), (4200, true), (65_000, true)])
    func `resumes when the client has read enough for a window update`(read: Int, goesOn: Bool) throws {
        let (link, connection, held) = try Self.stopped()
        #expect(link.isHeldUp(.down, on: connection) && link.nextInstant == nil)
        link.hold(held - read, .down, on: connection, at: Instant(seconds: 60))
        #expect((link.nextInstant != nil) == goesOn)
        link.hold(0, .down, on: connection, at: Instant(seconds: 61))
        var client = Client(link: link)
        try client.run(connection, until: 1_000_000)
    }
}
