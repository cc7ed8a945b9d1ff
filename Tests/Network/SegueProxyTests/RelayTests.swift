import SegueBase
import SegueData
import SegueNetworkModel
import SegueProxy
import Testing

@Suite struct `Relay of a link` {
    private static let network = LinkProfile(
        name: "test",
        down: LinkProfile.Direction(bitsPerSecond: 8_000_000, delay: .milliseconds(30)),
        up: LinkProfile.Direction(bitsPerSecond: 2_000_000, delay: .milliseconds(10))
    )

    private static func bytes(_ count: Int, seed: UInt64) -> [UInt8] {
        var random = SeededRandom(seed: seed)
        return (0..<count).map { _ in UInt8(truncatingIfNeeded: random.next()) }
    }

    /// Both ends of a connection over a relay, as fast as possible.
    private struct Ends {
        let relay: Relay
        let connection: LinkConnection
        var unread: [LinkDirection: ArraySlice<UInt8>]
        var came: [LinkDirection: [UInt8]] = [.down: [], .up: []]
        var finished: [LinkDirection: Instant] = [:]
        var mostHeld = 0
        var isTaking = true
        private var hasFinished: Set<LinkDirection> = []

        init(
            _ profile: LinkProfile,
            down: [UInt8],
            up: [UInt8],
            receiveWindow: ReceiveWindow = .tuned
        ) {
            relay = Relay(profile, seed: 1, receiveWindow: receiveWindow)
            connection = relay.open(at: .zero)
            unread = [.down: down[...], .up: up[...]]
        }

        mutating func read(_ direction: LinkDirection, at now: Instant, _ random: inout SeededRandom) {
            while case let room = relay.room(direction, on: connection), room > 0, let left = unread[direction],
                !left.isEmpty
            {
                let count = min(room, left.count, Int.random(in: 1...70_000, using: &random))
                relay.push(Array(left.prefix(count)), direction, on: connection, at: now)
                unread[direction] = left.dropFirst(count)
            }
            if unread[direction]?.isEmpty == true, hasFinished.insert(direction).inserted {
                relay.finish(direction, on: connection, at: now)
            }
        }

        mutating func take(_ direction: LinkDirection, at now: Instant, _ random: inout SeededRandom) {
            mostHeld = max(mostHeld, relay.arrived(direction, on: connection))
            guard isTaking else { return relay.settle(direction, on: connection, at: now) }
            let most = Int.random(in: 1...3000, using: &random)
            var pieces: [UInt8] = []
            while let taken = relay.take(
                direction,
                on: connection,
                { bytes in
                    pieces += bytes.prefix(most)
                    return min(most, bytes.count)
                }
            ), taken > 0 {}
            came[direction]? += pieces
            relay.settle(direction, on: connection, at: now)
        }

        mutating func run() {
            var random = SeededRandom(seed: 7)
            for direction in LinkDirection.allCases { read(direction, at: .zero, &random) }
            while let next = relay.nextInstant {
                for effect in relay.advance(to: next) {
                    switch effect {
                    case .finish(_, let direction): finished[direction] = next
                    default: break
                    }
                }
                for direction in LinkDirection.allCases {
                    take(direction, at: next, &random)
                    read(direction, at: next, &random)
                }
            }
        }
    }

    /// The beginning of the bytes, the bytes sent before on the same connection, and the number of bytes that arrive
    /// with the first and second segment.
    @Test(arguments: [
        ("HTTP/1.1 200 OK\r\nA: b\r\n\r\n", "", [25, 1473]), ("SSH-2.0-x\r\n\r\n", "", [1448, 2896]),
        ("HTTP/1.1 200 OK\r\n", "", [1448, 2896]), ("HTTP/1.1 200 OK\r\n\r\n", "before", [6, 1454]),
    ])
    func `the head of a response is a segment of its own`(
        head: String,
        before: String,
        wanted: [Int]
    ) {
        let relay = Relay(Self.network, seed: 1)
        let connection = relay.open(isEstablished: true, at: .zero)
        relay.push(Array(before.utf8), .down, on: connection, at: .zero)
        relay.push(Array(head.utf8) + [UInt8](repeating: 1, count: 9000), .down, on: connection, at: .zero)
        var arrived: [Int] = []
        while arrived.count < 2, let next = relay.nextInstant {
            _ = relay.advance(to: next)
            let count = relay.arrived(.down, on: connection)
            if count > arrived.last ?? 0 { arrived.append(count) }
        }
        #expect(arrived == wanted)
    }

    @Test func `delivers the bytes of both ends as the rate allows`() throws {
        let (down, up) = (Self.bytes(1_000_000, seed: 1), Self.bytes(200_000, seed: 2))
        var ends = Ends(Self.network, down: down, up: up)
        ends.run()
        #expect(ends.came[.down] == down && ends.came[.up] == up)
        // 66 bytes of headers accompany 1448 bytes of payload; upward data delays acknowledgements.
        let fastest = 1_000_000 * 8 / 8e6 * 1514 / 1448
        let took = try #require(ends.finished[.down]).seconds
        #expect(took > fastest && took < fastest * 3)
    }

    @Test(arguments: [(.tuned, 92 << 10), (.fixed(128 << 10), 128 << 10), (ReceiveWindow.fixed(3 << 20), 3 << 20)])
    func `holds at most the receive window for an end that consumes nothing`(window: ReceiveWindow, most: Int) {
        var ends = Ends(Self.network, down: Self.bytes(8_000_000, seed: 3), up: [], receiveWindow: window)
        ends.isTaking = false
        ends.run()
        #expect(ends.mostHeld > most - 1448 && ends.mostHeld <= most)
        #expect(ends.relay.room(.down, on: ends.connection) == 0)
        #expect(ends.finished[.down] == nil)
    }

    @Test func `unread bytes stop the other end until they are read`() {
        let relay = Relay(Self.network, seed: 1)
        let connection = relay.open(at: .zero)
        var (pushed, taken, now) = (0, 0, Instant.zero)
        func run(isReading: Bool) {
            repeat {
                for _ in relay.advance(to: now) {}
                taken += relay.take(.down, on: connection, \.count) ?? 0
                relay.settle(.down, on: connection, unread: isReading ? 0 : taken, at: now)
                let room = min(relay.room(.down, on: connection), 400_000 - pushed)
                pushed += room
                relay.push([UInt8](repeating: 1, count: room), .down, on: connection, at: now)
                now = max(now, relay.nextInstant ?? now)
            } while relay.nextInstant != nil
        }
        run(isReading: false)
        #expect(taken > (92 << 10) - 1448 && taken <= 92 << 10)
        #expect(relay.isHeldUp(.down, on: connection))
        run(isReading: true)
        #expect(taken == 400_000 && !relay.isHeldUp(.down, on: connection))
    }

    @Test func `a thousand connections share the rate`() throws {
        let relay = Relay(Self.network, seed: 1)
        var left: [LinkConnection: Int] = [:]
        for _ in 0..<1000 {
            let connection = relay.open(at: .zero)
            relay.push(Self.bytes(20_000, seed: 4), .down, on: connection, at: .zero)
            relay.finish(.down, on: connection, at: .zero)
            left[connection] = 20_000
        }
        var last = Instant.zero
        while let next = relay.nextInstant, !left.isEmpty {
            for case .finish(let connection, .down) in relay.advance(to: next) {
                #expect(relay.arrived(.down, on: connection) == 20_000)
                left[connection] = nil
                last = next
            }
        }
        // 20 MB with headers take 20.9 s at 8 Mbit/s; packets dropped by a full queue are sent again.
        #expect(left.isEmpty && last.seconds > 20.9 && last.seconds < 60)
    }
}
