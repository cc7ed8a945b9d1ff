import SegueBase
import SegueNetworkModel
import Testing

@Suite struct `Simulated link` {
    private static func network(
        down: Int64,
        up: Int64,
        delays: (Int, Int),
        loss: Double = 0,
        queue: LinkProfile.Queue = .packets(1000)
    ) -> LinkProfile {
        LinkProfile(
            name: "test",
            down: LinkProfile.Direction(bitsPerSecond: down * 1000, delay: .milliseconds(delays.0), loss: loss),
            up: LinkProfile.Direction(bitsPerSecond: up * 1000, delay: .milliseconds(delays.1), loss: loss),
            queue: queue
        )
    }

    private static let slow = network(down: 780, up: 330, delays: (100, 100))

    /// Measurements of Linux's netem: nginx to curl over HTTP/1.1, medians in seconds.
    ///
    /// Kilobits per second and one-way delays in milliseconds, down and up; the size; the times on a new connection, on
    /// a used one, and on one idle for 60 s.
    @Test(arguments: [
        (780, 330, 100, 100, 10_240, 0.522034, 0.317166, 0.317189),
        (780, 330, 100, 100, 1_048_576, 11.718940, 11.453615, 11.514092),
        (50_000, 10_000, 50, 65, 10_240, 0.232209, 0.116992, 0.117018),
        (50_000, 10_000, 50, 65, 204_800, 0.593997, 0.149539, 0.479047),
        (50_000, 10_000, 50, 65, 1_048_576, 0.945676, 0.290703, 0.831298),
        (9000, 9000, 85, 85, 1_048_576, 1.800593, 1.145124, 1.633032),
    ])
    func `takes as long as Linux`(
        down: Int64,
        up: Int64,
        downDelay: Int,
        upDelay: Int,
        bytes: Int,
        fresh: Double,
        reused: Double,
        rested: Double
    ) {
        let profile = Self.network(down: down, up: up, delays: (downDelay, upDelay))
        func seconds(_ state: DownloadEstimate.ConnectionState) -> Double? {
            DownloadEstimate(over: profile, on: state).seconds(bytes, seed: 1)
        }
        for (modelled, measured) in [
            (seconds(.new), fresh), (seconds(.reused), reused), (seconds(.idle(.seconds(60))), rested),
        ] {
            let modelled = modelled ?? .infinity
            #expect(abs(modelled - measured) <= max(0.005 * measured, 0.0025), "\(modelled) for \(measured)")
        }
    }

    /// Measurements of Linux's netem for 1 MiB on a new connection: the median of 15 runs with this loss downward.
    @Test(arguments: [
        (20_000, 10_000, 10, 0.02, 1.723), (20_000, 10_000, 10, 0.05, 3.934), (780, 330, 100, 0.02, 14.653),
    ])
    func `loss costs about as much as on Linux`(down: Int64, up: Int64, delay: Int, loss: Double, measured: Double) {
        var profile = Self.network(down: down, up: up, delays: (delay, delay), loss: loss)
        profile.up.loss = 0
        let mean = DownloadEstimate(over: profile, on: .new).spread(1 << 20, seeds: 15)?.mean ?? .infinity
        #expect(abs(mean - measured) < 0.3 * measured, "\(mean) for \(measured)")
    }

    @Test func `parallel downloads share the line`() {
        var both = Downloads(Self.slow)
        both.start(400_000, at: .zero)
        both.start(400_000, at: .zero)
        both.run()
        var one = Downloads(Self.slow)
        one.start(800_000, at: .zero)
        one.run()
        let whole = one.finished[1] ?? .infinity
        #expect(both.finished.values.allSatisfy { $0 > 0.75 * whole && $0 < 1.1 * whole })
    }

    @Test func `a later download slows down the earlier one`() {
        var alone = Downloads(Self.slow)
        alone.start(1_500_000, at: .zero)
        alone.run()
        var disturbed = Downloads(Self.slow)
        disturbed.start(1_500_000, at: .zero)
        disturbed.run(until: Instant(seconds: 2))
        let before = disturbed.received[1]
        disturbed.start(100_000, at: Instant(seconds: 2))
        disturbed.run()
        #expect(before ?? 0 > 100_000)
        let delay = (disturbed.finished[1] ?? .infinity) - (alone.finished[1] ?? .infinity)
        // The time of 100 kB with headers on the line.
        #expect(abs(delay - 1.1) < 0.2)
    }

    @Test func `a closed download frees the line and leaves nothing behind`() {
        var downloads = Downloads(Self.slow)
        downloads.start(5_000_000, at: .zero)
        downloads.run(until: Instant(seconds: 5))
        downloads.close(1, at: Instant(seconds: 5))
        downloads.start(100_000, at: Instant(seconds: 5))
        downloads.run()
        #expect(downloads.finished[1] == nil)
        // The packets in the queue at five seconds cross the line first.
        #expect(downloads.finished[2] ?? .infinity < 5 + 4)
        #expect(downloads.link.nextInstant == nil)
    }

    @Test func `equal seeds give equal times, and others do not`() {
        let profile = Self.network(down: 5000, up: 1000, delays: (20, 20), loss: 0.02)
        func time(_ seed: UInt64) -> Double? {
            DownloadEstimate(over: profile, on: .new).seconds(300_000, seed: seed)
        }
        #expect(time(1) == time(1))
        #expect(Set((1...5).map { time(UInt64($0)) }).count > 1)
    }

    @Test(arguments: 0..<12)
    func `equal seeds give equal times to the nanosecond on every kind of network`(number: Int) throws {
        var direction = LinkProfile.Direction(bitsPerSecond: 3_000_000, delay: .milliseconds(10) ... .milliseconds(60))
        if number % 2 == 0 { direction.jitter = .init(spread: .milliseconds(5), distribution: .paretonormal) }
        if number % 3 == 0 { direction.bursts = .init(begin: 0.01, end: 0.3) }
        let course = RateCourse(
            [.init(start: 0, bitsPerSecond: 5_000_000), .init(start: 333_333_333, bitsPerSecond: 700_001)],
            period: 1_234_567_891
        )
        if number % 4 > 1 { direction.rate = try .changing(#require(course)) }
        var network = LinkProfile(name: "n", down: direction, up: direction, queue: .packets(60))
        network.radio = [.init(idle: .seconds(1), promotion: .milliseconds(700))]
        network.outages = [.init(start: .milliseconds(900), length: .milliseconds(100), period: .seconds(1))]
        network.changes = [
            .init(start: .seconds(2), length: .seconds(1), period: .seconds(3), down: .init(loss: 0.02))
        ]
        let profile = network
        func story(_ seed: UInt64) -> [Instant] {
            var downloads = Downloads(profile, seed: seed)
            for bytes in [300_000, 1, 70_000] { downloads.start(bytes, at: .zero) }
            downloads.run()
            return downloads.instants
        }
        let first = story(UInt64(number))
        #expect(first.count > 100 && first == story(UInt64(number)))
        #expect(first != story(UInt64(number) + 100))
    }

    @Test func `a handover ends existing connections for both ends`() {
        var profile = Self.slow
        profile.handovers = [.init(start: .seconds(2), length: .seconds(1))]
        var downloads = Downloads(profile)
        downloads.start(1_000_000, at: .zero)
        downloads.run(until: Instant(seconds: 2.5))
        #expect(downloads.resets == [Instant(seconds: 2): 2])
        downloads.start(10_240, at: Instant(seconds: 2.5))
        downloads.run()
        #expect(downloads.finished[1] == nil)
        // Half a second of interruption, and then the time of an idle line.
        #expect(abs((downloads.finished[2] ?? 0) - 3.522) < 0.01)
    }

    @Test func `a handover between downloads costs the next a handshake, and a quiet link says so`() {
        var profile = Self.slow
        profile.handovers = [.init(start: .seconds(100), length: .seconds(1))]
        let link = SimulatedLink(profile, seed: 1)
        _ = link.connect(at: .zero)
        while !link.isQuiet, let next = link.nextInstant { _ = link.advance(to: next) }
        #expect(link.nextInstant == Instant(seconds: 100))
    }

    @Test func `nothing passes during an outage`() throws {
        var profile = Self.slow
        func time() -> Double? { DownloadEstimate(over: profile, on: .new).seconds(400_000, seed: 1) }
        let plain = try #require(time())
        profile.outages = [LinkProfile.Spell(start: .seconds(1), length: .seconds(2), period: .seconds(10))]
        #expect(try abs(#require(time()) - plain - 2) < 0.3)
    }

    @Test func `a download resumes within two minutes after the longest outage`() throws {
        var profile = Self.slow
        profile.outages = [LinkProfile.Spell(start: .seconds(1), length: .seconds(1_000_000))]
        let time = try #require(DownloadEstimate(over: profile, on: .new).seconds(400_000, seed: 1))
        #expect((0...120).contains(time - 1_000_000))
    }

    @Test(arguments: 0..<60)
    func `every download ends on every network`(number: Int) {
        var random = SeededRandom(seed: UInt64(number))
        let profile = Self.network(
            down: [64, 780, 5000, 100_000].randomElement(using: &random) ?? 64,
            up: [32, 330, 5000].randomElement(using: &random) ?? 32,
            delays: (Int.random(in: 0...500, using: &random), Int.random(in: 0...500, using: &random)),
            loss: [0, 0.01, 0.1, 0.3].randomElement(using: &random) ?? 0,
            queue: [.packets(1), .packets(20), .bytes(20_000), .packets(1000)].randomElement(using: &random)
                ?? .packets(1)
        )
        var downloads = Downloads(profile, seed: UInt64(number))
        let sizes = [0, 1, 1448, 1449, 60_000, 150_000]
        for _ in 0..<3 { downloads.start(sizes.randomElement(using: &random) ?? 0, at: .zero) }
        downloads.run()
        // A handshake gives up after its seventh repetition, as in Linux.
        let ended = profile.down.loss < 0.3 ? 3 : 1
        #expect(downloads.finished.count >= ended, "\(profile)")
        #expect(downloads.link.nextInstant == nil)
    }
}

/// Downloads on their own connections, numbered from 1.
private struct Downloads {
    let link: SimulatedLink
    private(set) var finished: [Int: Double] = [:]
    private(set) var received: [Int: Int] = [:]
    private(set) var instants: [Instant] = []
    private(set) var resets: [Instant: Int] = [:]
    private var sizes: [SimulatedLink.Connection: (number: Int, bytes: Int)] = [:]

    init(_ profile: LinkProfile, seed: UInt64 = 1) { link = SimulatedLink(profile, seed: seed) }

    mutating func start(_ bytes: Int, at now: Instant) {
        let connection = link.connect(at: now)
        sizes[connection] = (sizes.count + 1, bytes)
        link.request(bytes: DownloadEstimate.requestBytes, on: connection, at: now)
    }

    mutating func close(_ number: Int, at now: Instant) {
        for (connection, size) in sizes where size.number == number { link.close(connection, at: now) }
    }

    mutating func run(until limit: Instant? = nil) {
        while let next = link.nextInstant, limit.map({ next <= $0 }) ?? true {
            for (at, output) in link.advance(to: next) {
                instants.append(at)
                switch output {
                case .reset: resets[at, default: 0] += 1
                case .connected, .accepted, .unanswered, .delivered, .finished, .hasRoom: break
                case .requested(let connection):
                    let bytes = sizes[connection]?.bytes ?? 0
                    link.respond(headBytes: DownloadEstimate.headBytes, bodyBytes: bytes, on: connection, at: at)
                case .received(let connection, let bytes):
                    guard let size = sizes[connection] else { continue }
                    received[size.number] = bytes
                    if bytes == DownloadEstimate.headBytes + size.bytes { finished[size.number] = at.seconds }
                }
            }
        }
    }
}
