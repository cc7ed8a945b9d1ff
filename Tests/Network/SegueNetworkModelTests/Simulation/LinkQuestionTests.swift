import SegueBase
import SegueNetworkModel
import Testing

@Suite struct `DNS query` {
    private static func ends(
        _ profile: LinkProfile,
        _ name: String = "films.example"
    ) -> [(at: Instant, output: LinkOutput)] {
        let link = SimulatedLink(profile, seed: 1)
        _ = link.ask(for: name, at: .zero)
        var found: [(at: Instant, output: LinkOutput)] = []
        while let next = link.nextInstant { found += link.advance(to: next) }
        return found
    }

    @Test func `takes two packets and both delays`() {
        let profile = LinkProfile(
            name: "slow",
            down: LinkProfile.Direction(bitsPerSecond: 8000, delay: .milliseconds(30)),
            up: LinkProfile.Direction(bitsPerSecond: 8000, delay: .milliseconds(20))
        )
        // 42 bytes of headers, 12 of DNS, the name, and 6 more; the response has 16 more. A byte takes a millisecond.
        let (question, answer) = (42 + 12 + 13 + 6, 42 + 12 + 13 + 6 + 16)
        let found = Self.ends(profile)
        #expect(found.count == 1)
        #expect(found.first?.at == Instant.zero + .milliseconds(question + 20 + answer + 30))
        guard case .connected = found.first?.output else { return #expect(Bool(false)) }
    }

    @Test func `is repeated once after five seconds`() {
        var profile = LinkProfile(
            name: "gone",
            down: LinkProfile.Direction(rate: .unlimited),
            up: LinkProfile.Direction(rate: .unlimited, loss: 1)
        )
        let found = Self.ends(profile)
        #expect(found.count == 1 && found.first?.at == Instant.zero + .seconds(10))
        guard case .unanswered = found.first?.output else { return #expect(Bool(false)) }
        profile.up.loss = 0
        guard case .connected = Self.ends(profile).first?.output else { return #expect(Bool(false)) }
    }

    @Test func `leaves nothing behind`() {
        let profile = LinkProfile(
            name: "open",
            down: LinkProfile.Direction(rate: .unlimited),
            up: LinkProfile.Direction(rate: .unlimited)
        )
        let link = SimulatedLink(profile, seed: 1)
        _ = link.ask(for: "a", at: .zero)
        _ = link.advance(to: .zero)
        #expect(link.isQuiet)
    }
}
