import SegueBase
import Testing

@testable import SegueNetworkModel

@Suite struct `Steady download` {
    /// The outputs of parallel downloads, the later of which begin during the first.
    private static func story(_ profile: LinkProfile, sizes: [Int], seed: UInt64, flows: Bool) -> [String] {
        let link = SimulatedLink(profile, seed: seed)
        link.flows = flows
        var sizeOf: [SimulatedLink.Connection: Int] = [:]
        var told: [String] = []
        func run(to limit: Instant) {
            for (at, output) in link.advance(to: limit) {
                told.append("\(at.nanoseconds) \(output)")
                guard case .requested(let connection) = output else { continue }
                link.respond(headBytes: 250, bodyBytes: sizeOf[connection] ?? 0, on: connection, at: at)
            }
        }
        for (index, size) in sizes.enumerated() {
            let now = Instant(seconds: Double(index) * 0.4)
            let connection = link.connect(at: now)
            sizeOf[connection] = size
            link.request(bytes: 80, on: connection, at: now)
            // Advances event by event while a request may arrive, which must be answered at its time.
            while let next = link.nextInstant, next < now + .milliseconds(400) { run(to: next) }
        }
        while let next = link.nextInstant { run(to: next + .milliseconds(700)) }
        return told
    }

    private static func profile(_ number: Int, _ random: inout SeededRandom) -> LinkProfile {
        func direction(_ rates: [Int64]) -> LinkProfile.Direction {
            var direction = LinkProfile.Direction(
                bitsPerSecond: rates.randomElement(using: &random) ?? 1,
                delay: .milliseconds(Int.random(in: 0...40, using: &random)),
                loss: [0, 0, 0, 0.02].randomElement(using: &random) ?? 0
            )
            if Int.random(in: 0..<4, using: &random) == 0 { direction.jitter = .init(spread: .milliseconds(3)) }
            if Int.random(in: 0..<4, using: &random) == 0 {
                let course = RateCourse(
                    [.init(start: 0, bitsPerSecond: 3_000_000), .init(start: 700_000_000, bitsPerSecond: 0)],
                    period: 900_000_001
                )
                direction.rate = course.map { .changing($0) } ?? .unlimited
            }
            return direction
        }
        var network = LinkProfile(
            name: "n",
            down: direction([780_000, 5_000_000, 60_000_000]),
            up: direction([330_000, 4_000_000]),
            queue: [.packets(1000), .packets(1000), .packets(30), .bytes(75_700)].randomElement(using: &random)
                ?? .packets(1000)
        )
        if number % 5 == 0 { network.radio = [.init(idle: .milliseconds(300), promotion: .milliseconds(200))] }
        if number % 7 == 0 { network.outages = [.init(start: .seconds(1), length: .milliseconds(300))] }
        if number % 11 == 0 { network.handovers = [.init(start: .milliseconds(900), length: .milliseconds(200))] }
        return network
    }

    /// The outputs of parallel downloads for a client that wants reports every 50,000 bytes or 100 ms: from a link that
    /// knows this and continues to the next output, or from one that is checked after each instant.
    private static func news(_ profile: LinkProfile, sizes: [Int], seed: UInt64, isAsked: Bool) -> [String] {
        let link = SimulatedLink(profile, seed: seed)
        link.flows = isAsked
        var connections: [SimulatedLink.Connection] = []
        var wishes: [SimulatedLink.Connection: (bytes: Int, from: Instant)] = [:]
        var told: [String] = []
        func run(until limit: Instant) {
            while let next = link.nextInstant, next <= limit {
                let news = isAsked ? link.advance(to: limit, stopsAtNews: true) : link.advance(to: next)
                let wished = wishes
                for (at, output) in news {
                    if case .received(let connection, let bytes) = output {
                        let wish = wished[connection] ?? (0, .zero)
                        if !isAsked, bytes < wish.bytes, at < wish.from { continue }
                        wishes[connection] = (bytes + 50_000, at + .milliseconds(100))
                        link.expect(bytes: bytes + 50_000, orFrom: at + .milliseconds(100), on: connection)
                        if !isAsked { link.expect(bytes: 0, orFrom: .zero, on: connection) }
                    }
                    told.append("\(at.nanoseconds) \(output)")
                    guard case .requested(let connection) = output else { continue }
                    let size = connections.firstIndex(of: connection).map { sizes[$0] } ?? 0
                    link.respond(headBytes: 250, bodyBytes: size, on: connection, at: at)
                }
            }
        }
        for index in sizes.indices {
            let now = Instant(seconds: Double(index) * 0.4)
            let connection = link.connect(at: now)
            connections.append(connection)
            link.request(bytes: 80, on: connection, at: now)
            run(until: now + .nanoseconds(399_999_999))
        }
        run(until: Instant(seconds: 1000))
        return told + connections.map { "\($0) \(link.latestArrival(on: $0)?.nanoseconds ?? 0)" }
    }

    @Test(arguments: 0..<60)
    func `reports requested progress in time, and nothing more`(number: Int) throws {
        var random = SeededRandom(seed: UInt64(number) + 1000)
        let profile = Self.profile(number, &random)
        let sizes = (0...(number % 3)).map { _ in Int.random(in: 0...600_000, using: &random) }
        let asked = Self.news(profile, sizes: sizes, seed: UInt64(number), isAsked: true)
        let looked = Self.news(profile, sizes: sizes, seed: UInt64(number), isAsked: false)
        #expect(asked == looked)
        #expect(asked.contains { $0.contains("received") })
    }

    @Test(arguments: 0..<60)
    func `equals single events to the nanosecond`(number: Int) throws {
        var random = SeededRandom(seed: UInt64(number))
        let profile = Self.profile(number, &random)
        let sizes = (0...(number % 3)).map { _ in Int.random(in: 0...600_000, using: &random) }
        let flowing = Self.story(profile, sizes: sizes, seed: UInt64(number), flows: true)
        let stepping = Self.story(profile, sizes: sizes, seed: UInt64(number), flows: false)
        #expect(flowing == stepping)
        #expect(flowing.count > sizes.count)
    }

    /// The outputs of a download whose server ends the stream after the last byte, with a link that is advanced in
    /// strides, as by a proxy on a busy machine.
    private static func ending(_ bytes: Int, stride: Duration, flows: Bool) -> [String] {
        let network = LinkProfile(
            name: "n",
            down: LinkProfile.Direction(bitsPerSecond: 100_000_000, delay: .milliseconds(1)),
            up: LinkProfile.Direction(bitsPerSecond: 100_000_000, delay: .milliseconds(1))
        )
        let link = SimulatedLink(network, seed: 1)
        link.flows = flows
        let connection = link.connect(isEstablished: true, at: .zero)
        link.write(bytes, .down, on: connection, at: .zero)
        link.finish(.down, on: connection, at: .zero)
        var outputs: [String] = []
        while let next = link.nextInstant {
            outputs += link.advance(to: next + stride).map { "\($0.at.nanoseconds) \($0.output)" }
        }
        return outputs
    }

    @Test(arguments: [1448, 20_000, 100_000, 1_000_000], [0, 1, 3, 1000])
    func `reports the end of the stream however late the link is advanced`(bytes: Int, stride: Int) {
        let outputs = Self.ending(bytes, stride: .milliseconds(stride), flows: true)
        #expect(outputs.last?.contains("finished") == true)
        #expect(outputs == Self.ending(bytes, stride: .zero, flows: false))
    }
}
