import Foundation
import SegueData
import SegueNetworkModel
import SegueTestSupport
import Testing

@Suite struct `Link profile` {
    private static let harness = HarnessFolder(
        path: Checkout.path("Harness")
    )

    @Test func `reads the minimal form`() throws {
        let yaml = """
            name: 3g
            down: { rate: 780 kbit/s, delay: 100 ms, loss: 0.5 % }
            up: { rate: 330 kbit/s, delay: 100 ms, loss: 0 % }
            queue: 1000 packets        # or bytes
            """
        let expected = LinkProfile(
            name: "3g",
            down: LinkProfile.Direction(bitsPerSecond: 780_000, delay: .milliseconds(100), loss: 0.005),
            up: LinkProfile.Direction(bitsPerSecond: 330_000, delay: .milliseconds(100))
        )
        #expect(try LinkProfile(yaml: yaml, file: "3g.yaml") == expected)
    }

    @Test func `reads all other keys`() throws {
        let yaml = """
            name: odd
            about: "Odd."
            source: "A test."
            down: { rate: 57.6kbit/s, delay: 35-200 ms }
            up: { rate: 1.5 Mbit/s, delay: 0.5 s }
            queue: 75700 bytes
            dns: 20 ms
            initial-window: 4
            outages:
              - { at: 40 s, for: 8 s, every: 90 s }
              - { at: 0 s, for: 500 ms }
            """
        var expected = LinkProfile(
            name: "odd",
            down: LinkProfile.Direction(bitsPerSecond: 57_600, delay: .milliseconds(35) ... .milliseconds(200)),
            up: LinkProfile.Direction(bitsPerSecond: 1_500_000, delay: .milliseconds(500)),
            queue: .bytes(75_700)
        )
        (expected.about, expected.source) = ("Odd.", "A test.")
        (expected.dns, expected.initialWindow) = (.milliseconds(20), 4)
        expected.outages = [
            LinkProfile.Spell(start: .seconds(40), length: .seconds(8), period: .seconds(90)),
            LinkProfile.Spell(start: .zero, length: .milliseconds(500)),
        ]
        #expect(try LinkProfile(yaml: yaml, file: "odd.yaml") == expected)
    }

    private static let up = "\nup: { rate: 1 Mbit/s }"

    @Test(arguments: [
        ("down: { rate: 1 Mbit/s }" + up, "n.yaml:1: name: is missing"),
        ("name: n" + up, "n.yaml:1: down: is missing"),
        (
            "name: n\ndown:\n  rate: 5 kbps" + up,
            "n.yaml:3: down.rate: is 5 kbps, must be a rate such as 780 kbit/s, or unlimited"
        ),
        (
            "name: n\ndown: { rate: 0 kbit/s }" + up,
            "n.yaml:2: down.rate: is 0 kbit/s, must be a rate such as 780 kbit/s, or unlimited"
        ),
        (
            "name: n\ndown: { rate: 1 Mbit/s, loss: 100 % }" + up,
            "n.yaml:2: down.loss: is 100 %, must be a share from 0 % to below 100 %"
        ),
        (
            "name: n\ndown: { rate: 1 Mbit/s, delay: 5-1 ms }" + up,
            "n.yaml:2: down.delay: is 5-1 ms, must be a duration or range such as 100 ms or 150-550 ms"
        ),
        (
            "name: n\ndown: { rate: 1 Mbit/s }" + up + "\nqueue: 0 packets",
            "n.yaml:4: queue: is 0 packets, must be a number of packets or bytes, such as 1000 packets"
        ),
        (
            "name: n\ndown: { rate: 1 Mbit/s }" + up + "\noutages: [{ at: 1 s, for: 5 s, every: 5 s }]",
            "n.yaml:4: outages[0].every: must be longer than the outage"
        ),
    ])
    func `errors name file, line, and key`(yaml: String, description: String) {
        let error = #expect(throws: HarnessError.self) { try LinkProfile(yaml: yaml, file: "n.yaml") }
        #expect(error?.description == description)
    }

    @Test func `a direction without a rate takes no time`() throws {
        let yaml = "name: n\ndown: { delay: 5 ms }\nup: { rate: unlimited }"
        let expected = LinkProfile(
            name: "n",
            down: LinkProfile.Direction(rate: .unlimited, delay: .milliseconds(5) ... .milliseconds(5)),
            up: LinkProfile.Direction(rate: .unlimited)
        )
        #expect(try LinkProfile(yaml: yaml, file: "n.yaml") == expected)
    }

    @Test func `reads rates in steps, jitter, bursts, and a radio`() throws {
        let yaml = """
            name: n
            down:
              rate: { steps: [{ at: 0 s, rate: 5 Mbit/s }, { at: 30 s, rate: 0 kbit/s }], loop: 40 s }
              jitter: { spread: 20 ms, distribution: pareto }
              loss: 0.1 %
              bursts: { begin: 1 %, end: 25 %, loss: 80 % }
            up:
              rate: [{ at: 0 s, rate: 1 Mbit/s }, { at: 1.5 s, rate: 2 Mbit/s }]
              jitter: 5 ms
            radio: [{ idle: 5 s, promotion: 1 s }, { idle: 17 s, promotion: 2 s }]
            """
        let looped = RateCourse(
            [.init(start: 0, bitsPerSecond: 5_000_000), .init(start: 30_000_000_000, bitsPerSecond: 0)],
            period: 40_000_000_000
        )
        let once = RateCourse(
            [.init(start: 0, bitsPerSecond: 1_000_000), .init(start: 1_500_000_000, bitsPerSecond: 2_000_000)],
            period: nil
        )
        var expected = try LinkProfile(
            name: "n",
            down: LinkProfile.Direction(
                rate: .changing(#require(looped)),
                jitter: .init(spread: .milliseconds(20), distribution: .pareto),
                loss: 0.001,
                bursts: .init(begin: 0.01, end: 0.25, loss: 0.8)
            ),
            up: LinkProfile.Direction(
                rate: .changing(#require(once)),
                jitter: .init(spread: .milliseconds(5), distribution: .uniform)
            )
        )
        expected.radio = [
            .init(idle: .seconds(5), promotion: .seconds(1)), .init(idle: .seconds(17), promotion: .seconds(2)),
        ]
        #expect(try LinkProfile(yaml: yaml, file: "n.yaml") == expected)
        #expect(looped?.mean == 3_750_000)
    }

    @Test func `reads a schedule`() throws {
        let yaml = """
            name: n
            down: {}
            up: {}
            outages: [{ at: 1 s, for: 2 s }]
            schedule:
              - { at: 10 s, outage: 15 s, every: 90 s }
              - { at: 60 s, handover: 1.5 s }
              - { at: 5 s, portal: 20 s }
              - { at: 30 s, down: { rate: 500 kbit/s, delay: 200-300 ms }, up: { loss: 2 % } }
              - { at: 40 s, for: 5 s, every: 20 s, down: { rate: unlimited } }
            """
        let profile = try LinkProfile(yaml: yaml, file: "n.yaml")
        #expect(
            profile.outages == [
                .init(start: .seconds(1), length: .seconds(2)),
                .init(start: .seconds(10), length: .seconds(15), period: .seconds(90)),
            ]
        )
        #expect(profile.handovers == [.init(start: .seconds(60), length: .milliseconds(1500))])
        #expect(profile.portals == [.init(start: .seconds(5), length: .seconds(20))])
        #expect(
            profile.changes == [
                .init(
                    start: .seconds(30),
                    down: .init(rate: .constant(500_000), delay: .milliseconds(200) ... .milliseconds(300)),
                    up: .init(loss: 0.02)
                ),
                .init(start: .seconds(40), length: .seconds(5), period: .seconds(20), down: .init(rate: .unlimited)),
            ]
        )
    }

    @Test func `reads faults`() throws {
        let yaml = """
            name: n
            down: {}
            up: {}
            faults:
              - { url: "*/seg-*.m4s?x=1", kind: [segment, key], nth: 3, count: 2, share: 50 %, status: 503 }
              - { reset: 10000 bytes }
              - { stall: 20 s, after: 500 bytes }
              - { truncate: 0 bytes }
              - { wrong-length: +5 bytes }
              - { wrong-length: -5 bytes }
              - { slow-close: 5 s }
              - { corrupt: 3 bytes, after: 1000 bytes }
              - { wrong-range: -188 bytes }
              - { slice: 100 bytes, pause: 10 ms }
              - { limit: 100000 bytes }
            """
        let faults = try LinkProfile(yaml: yaml, file: "n.yaml").faults
        #expect(
            faults.first
                == RequestFault(
                    url: "*/seg-*.m4s?x=1",
                    kinds: [.segment, .key],
                    first: 3,
                    count: 2,
                    share: 0.5,
                    effect: .status(503)
                )
        )
        #expect(
            faults.dropFirst().map(\.effect) == [
                .reset(after: 10_000), .stall(after: 500, length: .seconds(20)), .truncation(after: 0),
                .wrongLength(by: 5), .wrongLength(by: -5), .slowClose(.seconds(5)), .corruption(bytes: 3, after: 1000),
                .wrongRange(by: -188), .slices(bytes: 100, pause: .milliseconds(10)), .limit(bytes: 100_000),
            ]
        )
    }

    @Test(arguments: [
        ("down: { rate: -5 kbit/s }", "down.rate: is -5 kbit/s, must be a rate such as 780 kbit/s, or unlimited"),
        ("down: { rate: .nan }", "down.rate: is .nan, must be a rate such as 780 kbit/s, or unlimited"),
        ("down: { jitter: -1 ms }", "down.jitter: is -1 ms, must be a duration such as 100 ms"),
        (
            "down: { jitter: { spread: 1 ms, distribution: gauss } }",
            "down.jitter.distribution: gauss is unknown; expected one of normal, pareto, paretonormal, uniform"
        ),
        (
            "down: { bursts: { begin: 0 %, end: 5 % } }",
            "down.bursts.begin: is 0 %, must be a chance above 0 %, to 100 %"
        ),
        ("down: { bursts: { begin: 1 % } }", "down.bursts.end: is missing"),
        ("down: { rate: [] }", "down.rate: has no steps"),
        ("down: { rate: [{ at: 1 s, rate: 1 bit/s }] }", "down.rate[0].at: must be 0 s in the first step"),
        (
            "down: { rate: [{ at: 0 s, rate: 1 bit/s }, { at: 0 s, rate: 2 bit/s }] }",
            "down.rate[1].at: must be later than that of the step before"
        ),
        (
            "down: { rate: [{ at: 0 s, rate: 0 bit/s }] }",
            "down.rate: ends at 0: nothing would ever pass again"
        ),
        (
            "down: { rate: { steps: [{ at: 0 s, rate: 0 bit/s }], loop: 1 s } }",
            "down.rate.steps: is 0 throughout"
        ),
        (
            "down: { rate: { steps: [{ at: 0 s, rate: 1 bit/s }, { at: 5 s, rate: 0 bit/s }], loop: 5 s } }",
            "down.rate.loop: must end after the beginning of the last step"
        ),
        (
            "down: { rate: { trace: not-there.json } }",
            "down.rate.trace: not-there.json: the file cannot be read"
        ),
        (
            "down: { rate: {} }",
            "down.rate.steps: is missing; a rate is a number, a list of steps, { steps }, { trace }, or { generate }"
        ),
        (
            "down: {}\nschedule: [{ at: 5 s, outage: 1 s, every: 1000.5 ms }]",
            "schedule[0].every: must leave 1 ms between repetitions"
        ),
        (
            "down: { rate: { steps: [{ at: 0 s, rate: 1 bit/s }], loop: 5 us } }",
            "down.rate.loop: must be at least 1 ms"
        ),
        ("down: {}\nradio: [{ idle: 5 s }]", "radio[0].promotion: is missing"),
        (
            "down: {}\nradio: [{ idle: 5 s, promotion: 1 s }, { idle: 5 s, promotion: 2 s }]",
            "radio[1].idle: must be longer than that of the state before"
        ),
        (
            "down: {}\nschedule: [{ at: 5 s }]",
            "schedule[0]: must have outage, handover, portal, down, or up"
        ),
        (
            "down: {}\nschedule: [{ at: 5 s, outage: 1 s, portal: 1 s }]",
            "schedule[0].portal: and outage must be entries of their own"
        ),
        ("down: {}\nschedule: [{ at: 5 s, outage: 0 s }]", "schedule[0].outage: must be given and above zero"),
        (
            "down: {}\nschedule: [{ at: 5 s, every: 9 s, up: { loss: 1 % } }]",
            "schedule[0].every: needs for: how long the change holds each time"
        ),
        (
            "down: {}\nschedule: [{ at: 5 s, up: { rate: 0 kbit/s } }]",
            "schedule[0].up.rate: is 0 kbit/s, must be a rate such as 780 kbit/s, or unlimited"
        ),
        (
            "down: {}\nfaults: [{ kind: segment }]",
            "faults[0]: must have one of: status, reset, stall, truncate, wrong-length, slow-close, corrupt, "
                + "wrong-range, slice, limit"
        ),
        (
            "down: {}\nfaults: [{ status: 503, reset: 0 bytes }]",
            "faults[0].reset: and status must be separate faults"
        ),
        ("down: {}\nfaults: [{ status: 99 }]", "faults[0].status: is 99, must be a whole number from 100 to 599"),
        (
            "down: {}\nfaults: [{ kind: picture, status: 503 }]",
            "faults[0].kind: picture is unknown; expected one of initialization, key, other, playlist, segment, subtitles"
        ),
        (
            "down: {}\nfaults: [{ reset: -1 bytes }]",
            "faults[0].reset: is -1 bytes, must be a number of bytes such as 10000 bytes"
        ),
    ])
    func `reports invalid networks in one line`(keys: String, description: String) {
        let error = #expect(throws: HarnessError.self) {
            try LinkProfile(yaml: "name: n\nup: {}\n" + keys, file: "n.yaml")
        }
        let line = keys.contains("\n") ? 4 : 3
        #expect(error?.description == "n.yaml:\(line): \(description)")
    }

    @Test func `reports an unknown key with the nearest valid one`() {
        let yaml = "name: n\ndown: { rate: 1 Mbit/s, dealy: 5 ms }" + Self.up
        let error = #expect(throws: HarnessError.self) { try LinkProfile(yaml: yaml, file: "n.yaml") }
        #expect(error?.description.contains("n.yaml:2: down.dealy") == true)
        #expect(error?.description.contains("did you mean delay?") == true)
    }

    @Test(arguments: harness.names(of: .networks))
    func `each shipped network is valid, has its file's name, and names its source`(name: String) throws {
        let profile = try LinkProfile.named(name, in: Self.harness)
        #expect(profile.name == name)
        #expect(!profile.source.isEmpty)
    }

    @Test func `contains the well-known networks`() {
        let names = Self.harness.names(of: .networks)
        let expected = [
            "lan", "wifi", "wifi-slow", "wifi-lossy", "dsl", "cable", "fios", "lte", "4g", "3g", "3g-slow", "3g-lossy",
            "edge", "2g", "very-bad", "train", "lift", "nlc-3g", "chrome-slow-4g", "wpt-3g-fast", "android-umts",
        ]
        #expect(expected.filter { !names.contains($0) } == [])
    }

    @Test func `reports an unknown network with the nearest valid one`() {
        let error = #expect(throws: HarnessError.self) { try LinkProfile.named("3g-slwo", in: Self.harness) }
        #expect(error?.description.contains("did you mean 3g-slow?") == true)
    }
}
