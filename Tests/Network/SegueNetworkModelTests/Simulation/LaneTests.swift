import SegueBase
import Testing

@testable import SegueNetworkModel

@Suite struct `Lane of a link` {
    private static func profile(
        _ direction: LinkProfile.Direction,
        queue: LinkProfile.Queue = .packets(1000)
    ) -> LinkProfile {
        LinkProfile(name: "n", down: direction, up: direction, queue: queue)
    }

    /// The departures of packets of these sizes that arrive at once.
    private static func departures(_ profile: LinkProfile, of sizes: [Int], at now: Instant = .zero) -> [Int64] {
        var lane = Lane(.down, of: profile, random: SeededRandom(seed: 1))
        var path = lane.path()
        return sizes.map { lane.send($0, at: now, from: now, on: &path)?.departs.nanoseconds ?? -1 }
    }

    @Test func `rounding does not accumulate over a hundred thousand packets`() {
        // 1514 bytes at 780 kbit/s take 15528205 and 5/39 nanoseconds.
        let profile = Self.profile(.init(bitsPerSecond: 780_000, delay: .zero), queue: .packets(200_000))
        let last = Self.departures(profile, of: Array(repeating: 1514, count: 100_000)).last
        #expect(last == 1_552_820_512_821)
    }

    @Test func `a direction without a rate takes no time`() {
        #expect(Self.departures(Self.profile(.init(rate: .unlimited)), of: [1514, 66]) == [0, 0])
    }

    /// Compared with sums in steps of a nanosecond: the integral of the rate covers the sent bytes.
    @Test(arguments: 0..<40)
    func `departures are the first instants at which the rate's integral covers what was sent`(seed: Int) throws {
        var random = SeededRandom(seed: UInt64(seed))
        var steps: [RateCourse.Step] = []
        var end: Int64 = 0
        for _ in 0..<Int.random(in: 1...6, using: &random) {
            let rate = Bool.random(using: &random) ? Int64.random(in: 1...9_000_000_000, using: &random) : 0
            steps.append(.init(start: end, bitsPerSecond: rate))
            end += Int64.random(in: 1...10_000, using: &random)
        }
        steps[0].bitsPerSecond = max(steps[0].bitsPerSecond, 1_000_000)
        let course = try #require(RateCourse(steps, period: end))
        var profile = Self.profile(.init(rate: .changing(course)))
        profile.outages = [.init(start: .microseconds(8), length: .microseconds(3), period: .microseconds(19))]
        func isOut(_ time: Int64) -> Bool { time >= 8000 && (time - 8000) % 19_000 < 3000 }
        var lane = Lane(.down, of: profile, random: SeededRandom(seed: 1))
        var path = lane.path()
        var now: Int64 = 0
        // The time of the calculation, the completed work, and the total work, in 1e-9 bits.
        var (time, done, work): (Int64, Int128, Int128) = (0, 0, 0)
        for _ in 0..<6 {
            now += Int64.random(in: 0...10_000, using: &random)
            let bytes = Int.random(in: 1...20, using: &random)
            while time < now {
                done = min(work, done + Int128(isOut(time) ? 0 : course.rate(at: time).bitsPerSecond))
                time += 1
            }
            work += Int128(bytes) * 8_000_000_000
            let departs = try #require(lane.send(bytes, at: Instant(nanoseconds: now), from: .zero, on: &path)).departs
            var (reached, sum) = (time, done)
            while sum < work {
                sum += Int128(isOut(reached) ? 0 : course.rate(at: reached).bitsPerSecond)
                reached += 1
                guard reached < 2_000_000 else { return }
            }
            #expect(departs.nanoseconds == reached)
        }
    }

    @Test func `the course of a rate repeats after its period, even after idle time`() throws {
        let course = try #require(
            RateCourse(
                [.init(start: 0, bitsPerSecond: 8_000_000), .init(start: 1_000_000, bitsPerSecond: 0)],
                period: 10_000_000
            )
        )
        let profile = Self.profile(.init(rate: .changing(course)))
        // 1000 bytes per period: the second packet departs in the next period.
        #expect(Self.departures(profile, of: [1000, 500]) == [1_000_000, 10_500_000])
        let late = Self.departures(profile, of: [1000, 500], at: Instant(nanoseconds: 86_400_000_500_000))
        #expect(late == [86_400_010_500_000, 86_400_011_000_000].map { $0 })
    }

    @Test func `a schedule changes rate, delay, and loss for its duration`() throws {
        var profile = Self.profile(.init(bitsPerSecond: 8_000_000, delay: .milliseconds(10)))
        profile.changes = [
            .init(
                start: .seconds(1),
                length: .seconds(1),
                down: .init(rate: .constant(80_000), delay: .milliseconds(50) ... .milliseconds(50))
            ),
            .init(start: .seconds(3), down: .init(loss: 0.999_999_999)),
        ]
        var lane = Lane(.down, of: profile, random: SeededRandom(seed: 1))
        var path = lane.path()
        var arrivals: [Int64?] = []
        for seconds in [0.5, 1, 1.95, 2.5, 3] {
            let now = Instant(seconds: seconds)
            arrivals.append((lane.send(1000, at: now, from: now, on: &path)?.arrives.nanoseconds).map { $0 / 1000 })
        }
        // The third packet has sent half of its bits when the rate is restored: 500 bytes are left.
        #expect(arrivals == [511_000, 1_150_000, 2_010_500, 2_511_000, nil])
    }

    @Test func `jitter spreads delays around their mean, and keeps the order`() {
        for distribution in LinkProfile.Jitter.Distribution.allCases {
            var direction = LinkProfile.Direction(rate: .unlimited, delay: .milliseconds(200) ... .milliseconds(200))
            direction.jitter = .init(spread: .milliseconds(10), distribution: distribution)
            let profile = Self.profile(direction)
            var lane = Lane(.down, of: profile, random: SeededRandom(seed: 5))
            var path = lane.path()
            // A second between packets, so none waits for another.
            let delays: [Double] = (0..<4000).map { number in
                let now = Instant(seconds: Double(number))
                return ((lane.send(100, at: now, from: now, on: &path)?.arrives ?? .zero) - now).seconds
            }
            let mean = delays.reduce(0, +) / 4000
            let squares = delays.reduce(0.0) { (sum: Double, delay: Double) in sum + (delay - mean) * (delay - mean) }
            let deviation = (squares / 4000).squareRoot()
            #expect(abs(mean - 0.2) < 0.0015, "\(distribution)")
            // A uniform spread deviates by its third's root; the far tail of Pareto is cut like in netem.
            let expected: ClosedRange<Double> =
                switch distribution {
                case .uniform: 0.0056...0.0060
                case .normal: 0.0095...0.0105
                case .pareto: 0.006...0.010
                case .paretonormal: 0.005...0.008
                }
            #expect(expected.contains(deviation), "\(distribution) \(deviation)")
            var close = lane.path()
            let arrivals = (0..<1000).compactMap { number in
                let now = Instant(nanoseconds: 20_000_000_000_000 + Int64(number) * 1000)
                return lane.send(100, at: now, from: now, on: &close)?.arrives
            }
            #expect(arrivals.count == 1000 && zip(arrivals, arrivals.dropFirst()).allSatisfy { $0 <= $1 })
        }
    }

    @Test func `bursts lose the share of their Markov chain, in runs of its length`() {
        var direction = LinkProfile.Direction(rate: .unlimited)
        direction.bursts = .init(begin: 0.01, end: 0.25)
        let profile = Self.profile(direction)
        let lost = Self.departures(profile, of: Array(repeating: 100, count: 50_000)).map { $0 < 0 }
        let share = Double(lost.count { $0 }) / 50_000
        let runs = zip(lost, [false] + lost).count { $0 && !$1 }
        #expect(abs(share - 0.01 / 0.26) < 0.005)
        #expect(abs(share * 50_000 / Double(runs) - 4) < 0.4)
        #expect(abs((direction.bursts?.share ?? 0) - 0.01 / 0.26) < 1e-12)
    }

    @Test func `a radio wakes for a packet after its idle time`() {
        var profile = LinkProfile(name: "n", down: .init(rate: .unlimited), up: .init(rate: .unlimited))
        profile.radio = [
            .init(idle: .seconds(5), promotion: .seconds(1)), .init(idle: .seconds(17), promotion: .seconds(2)),
        ]
        var random = SeededRandom(seed: 1)
        var lanes = Lanes(profile, random: &random)
        var path = lanes.path()
        let times = [0, 0.5, 2.1, 7, 13, 13.5, 40].map { seconds in
            lanes.send(66, .up, at: Instant(seconds: seconds), on: &path)?.departs.seconds
        }
        #expect(times == [2, 2, 2.1, 7, 14, 14, 42])
    }
}
