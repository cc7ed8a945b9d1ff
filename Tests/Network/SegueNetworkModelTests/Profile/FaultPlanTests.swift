import SegueBase
import SegueNetworkModel
import Testing

@Suite struct `Fault plan` {
    private static func plan(_ faults: [RequestFault], portals: [LinkProfile.Spell] = [], seed: UInt64 = 1) -> FaultPlan
    {
        let direction = LinkProfile.Direction(rate: .unlimited)
        var profile = LinkProfile(name: "n", down: direction, up: direction)
        (profile.portals, profile.faults) = (portals, faults)
        return FaultPlan(profile, seed: seed)
    }

    @Test(arguments: [
        ("/a/index.m3u8?x=1", RequestFault.Kind.playlist), ("http://h/a/17.m4s", .segment),
        ("/init.mp4", .initialization),
        ("/full/init-2.mp4?b", .initialization), ("/a/3.ts", .segment), ("/k/1.key", .key), ("/s/4.vtt", .subtitles),
        ("/", .other), ("http://h", .other), ("/playlist", .other),
    ])
    func `guesses the kind of a resource from its extension`(url: String, kind: RequestFault.Kind) {
        #expect(RequestFault.Kind(url: url) == kind)
    }

    @Test(arguments: [
        ("*", "/a", true), ("/a", "/a", true), ("/a", "/ab", false), ("*.ts", "/x/1.ts", true),
        ("*.ts", "/x/1.tsx", false), ("/?/b", "/a/b", true), ("/?/b", "/aa/b", false),
        ("*a*b*", "/xaxxbx", true), ("*a*b*", "/xbxxax", false), ("/a*", "http://host:80/a?q=1", true),
        ("", "/", false),
    ])
    func `patterns match path and query`(pattern: String, url: String, matches: Bool) {
        let fault = RequestFault(url: pattern, effect: .status(500))
        #expect(fault.concerns(url: url, kind: .other) == matches)
    }

    @Test func `only count requests from the nth on meet a fault`() {
        var plan = Self.plan([RequestFault(kinds: [.segment], first: 2, count: 2, effect: .status(503))])
        let met = ["/1.ts", "/p.m3u8", "/2.ts", "/3.ts", "/4.ts"].map { plan.effect(url: $0, at: .zero) != nil }
        #expect(met == [false, false, true, true, false])
    }

    @Test func `the first due fault applies, and all faults keep counting`() {
        var plan = Self.plan([
            RequestFault(first: 1, count: 1, effect: .status(500)),
            RequestFault(first: 2, effect: .truncation(after: 5)),
        ])
        let effects = (0..<3).map { _ in plan.effect(url: "/a", at: .zero) }
        #expect(effects == [.status(500), .truncation(after: 5), .truncation(after: 5)])
    }

    @Test func `the seed selects a share of requests`() {
        func met(_ seed: UInt64) -> [Bool] {
            var plan = Self.plan([RequestFault(share: 0.3, effect: .status(500))], seed: seed)
            return (0..<1000).map { _ in plan.effect(url: "/a", at: .zero) != nil }
        }
        #expect(met(1) == met(1) && met(1) != met(2))
        #expect((250...350).contains(met(1).count { $0 }))
    }

    @Test func `a portal answers during its time`() {
        var plan = Self.plan(
            [RequestFault(effect: .status(500))],
            portals: [LinkProfile.Spell(start: .seconds(5), length: .seconds(2), period: .seconds(10))]
        )
        let effects = [4.999, 5, 6.999, 7, 16].map { plan.effect(url: "/a", at: Instant(seconds: $0)) }
        #expect(effects == [.status(500), .portal, .portal, .status(500), .portal])
        #expect(!plan.isEmpty && Self.plan([]).isEmpty)
    }
}
