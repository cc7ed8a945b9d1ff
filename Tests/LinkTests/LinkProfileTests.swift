import Foundation
import Harness
import Link
import Testing

@Suite struct `Link profile` {
    private static let harness = HarnessFolder(
        path: URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("../../Harness").path
    )

    @Test func `the least form is read`() throws {
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

    @Test func `everything else is read too`() throws {
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
        let expected = LinkProfile(
            name: "odd",
            about: "Odd.",
            source: "A test.",
            down: LinkProfile.Direction(bitsPerSecond: 57_600, delay: .milliseconds(35) ... .milliseconds(200)),
            up: LinkProfile.Direction(bitsPerSecond: 1_500_000, delay: .milliseconds(500)),
            queue: .bytes(75_700),
            dns: .milliseconds(20),
            initialWindow: 4,
            outages: [
                LinkProfile.Outage(start: .seconds(40), length: .seconds(8), period: .seconds(90)),
                LinkProfile.Outage(start: .zero, length: .milliseconds(500)),
            ]
        )
        #expect(try LinkProfile(yaml: yaml, file: "odd.yaml") == expected)
    }

    private static let up = "\nup: { rate: 1 Mbit/s }"

    @Test(arguments: [
        ("down: { rate: 1 Mbit/s }" + up, "n.yaml:1: name: is missing"),
        ("name: n" + up, "n.yaml:1: down: is missing"),
        ("name: n\ndown: { delay: 1 ms }" + up, "n.yaml:2: down.rate: is missing"),
        (
            "name: n\ndown:\n  rate: 5 kbps" + up,
            "n.yaml:3: down.rate: is 5 kbps, must be a rate such as 780 kbit/s"
        ),
        (
            "name: n\ndown: { rate: 0 kbit/s }" + up,
            "n.yaml:2: down.rate: is 0 kbit/s, must be a rate such as 780 kbit/s"
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
    func `errors name file, line and key`(yaml: String, description: String) {
        let error = #expect(throws: HarnessError.self) { try LinkProfile(yaml: yaml, file: "n.yaml") }
        #expect(error?.description == description)
    }

    @Test func `an unknown key is an error with the nearest right one`() {
        let yaml = "name: n\ndown: { rate: 1 Mbit/s, dealy: 5 ms }" + Self.up
        let error = #expect(throws: HarnessError.self) { try LinkProfile(yaml: yaml, file: "n.yaml") }
        #expect(error?.description.contains("n.yaml:2: down.dealy") == true)
        #expect(error?.description.contains("did you mean delay?") == true)
    }

    @Test(arguments: harness.names(of: .networks))
    func `each network that ships reads, has its file's name and says its source`(name: String) throws {
        let profile = try LinkProfile.named(name, in: Self.harness)
        #expect(profile.name == name)
        #expect(!profile.source.isEmpty)
    }

    @Test func `the networks that people know are there`() {
        let names = Self.harness.names(of: .networks)
        let expected = [
            "lan", "wifi", "wifi-slow", "wifi-lossy", "dsl", "cable", "fios", "lte", "4g", "3g", "3g-slow", "3g-lossy",
            "edge", "2g", "very-bad", "train", "lift", "nlc-3g", "chrome-slow-4g", "wpt-3g-fast", "android-umts",
        ]
        #expect(expected.filter { !names.contains($0) } == [])
    }

    @Test func `an unknown network is an error with the nearest right one`() {
        let error = #expect(throws: HarnessError.self) { try LinkProfile.named("3g-slwo", in: Self.harness) }
        #expect(error?.description.contains("did you mean 3g-slow?") == true)
    }
}
