import Testing
import Timeline

@testable import Link

@Suite struct `Flow of a download` {
    /// What a link tells of downloads side by side, the later of which begin while the first is under way.
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
            // One thing after the other while a request may come, which is to be answered when it does.
            while let next = link.nextInstant, next < now + .milliseconds(400) { run(to: next) }
        }
        while let next = link.nextInstant { run(to: next + .milliseconds(700)) }
        return told
    }

    @Test(arguments: 0..<60)
    func `is to the nanosecond what one event after the other makes`(number: Int) throws {
        var random = SeededRandom(seed: UInt64(number))
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
        let profile = LinkProfile(
            name: "n",
            down: direction([780_000, 5_000_000, 60_000_000]),
            up: direction([330_000, 4_000_000]),
            queue: [.packets(1000), .packets(1000), .packets(30), .bytes(75_700)].randomElement(using: &random)
                ?? .packets(1000),
            radio: number % 5 == 0 ? [.init(idle: .milliseconds(300), promotion: .milliseconds(200))] : [],
            outages: number % 7 == 0 ? [.init(start: .seconds(1), length: .milliseconds(300))] : []
        )
        let sizes = (0...(number % 3)).map { _ in Int.random(in: 0...600_000, using: &random) }
        let flowing = Self.story(profile, sizes: sizes, seed: UInt64(number), flows: true)
        let stepping = Self.story(profile, sizes: sizes, seed: UInt64(number), flows: false)
        #expect(flowing == stepping)
        #expect(flowing.count > sizes.count)
    }
}
