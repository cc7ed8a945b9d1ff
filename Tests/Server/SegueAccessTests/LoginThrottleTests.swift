import Testing

@testable import SegueAccess

@Suite struct `The login throttle` {
    @Test func `an address has five attempts, then a delay that doubles up to a quarter of an hour`() {
        var slowing = LoginThrottle()
        var now = 0.0
        for index in 0..<5 { #expect(slowing.begin("a\(index)", from: "192.0.2.1", at: now) == nil) }
        for wait in [1.0, 2, 4, 8, 16, 32, 64, 128, 256, 512, 900, 900] {
            #expect(slowing.begin("b", from: "192.0.2.1", at: now) == wait)
            // A request in the meantime does not extend the delay.
            #expect(slowing.begin("b", from: "192.0.2.1", at: now + wait / 2) == wait / 2)
            now += wait
            #expect(slowing.begin("b\(now)", from: "192.0.2.1", at: now) == nil)
        }
        #expect(slowing.begin("b", from: "192.0.2.2", at: now) == nil)
        // After an hour the count is reset.
        #expect(slowing.begin("c", from: "192.0.2.1", at: now + 3600) == nil)
        #expect(slowing.begin("d", from: "192.0.2.1", at: now + 3600) == nil)
    }

    @Test func `concurrent attempts count as failures`() {
        var slowing = LoginThrottle()
        #expect((0..<1000).count { _ in slowing.begin("a", from: "192.0.2.1", at: 0) == nil } == 5)
    }

    @Test func `a success clears the count`() {
        var slowing = LoginThrottle()
        for _ in 0..<100 {
            #expect(slowing.begin("a", from: "192.0.2.1", at: 0) == nil)
            slowing.succeed("a", from: "192.0.2.1", at: 0)
        }
    }

    @Test func `a name is delayed at all addresses except its owner's`() {
        var slowing = LoginThrottle()
        #expect(slowing.begin("owner", from: "198.51.100.7", at: 0) == nil)
        slowing.succeed("owner", from: "198.51.100.7", at: 0)
        #expect((0..<200).count { slowing.begin("owner", from: "192.0.2.\($0)", at: 0) == nil } == 20)
        #expect(slowing.begin("owner", from: "203.0.113.1", at: 0) == 1)
        #expect(slowing.begin("other", from: "203.0.113.1", at: 0) == nil)
        #expect(slowing.begin("owner", from: "198.51.100.7", at: 0) == nil)
        for second in 1..<100 { _ = slowing.begin("owner", from: "192.0.\(second).1", at: Double(second)) }
        let wait = slowing.begin("owner", from: "203.0.113.2", at: 100)
        #expect((wait ?? 0) <= 30)
    }

    @Test(arguments: [
        ("2001:db8::1", "2001:db8:0:0:ffff::2", true), ("2001:db8::1", "2001:db8:0:1::1", false),
        ("fe80::1%eth0", "fe80::2", true), ("::ffff:192.0.2.1", "::ffff:192.0.2.2", false), ("", "192.0.2.1", false),
    ])
    func `an IPv6 network counts as one address`(one: String, other: String, isSame: Bool) {
        var slowing = LoginThrottle()
        for index in 0..<5 { _ = slowing.begin("a\(index)", from: one, at: 0) }
        #expect((slowing.begin("b", from: other, at: 0) != nil) == isSame)
    }

    @Test func `its memory is bounded, and keeps the newest entries`() {
        var slowing = LoginThrottle(most: 100)
        for index in 0..<10_000 {
            let (name, address) = (String(repeating: "n\(index)", count: 500), "10.0.\(index / 256).\(index % 256)")
            _ = slowing.begin(name, from: address, at: Double(index))
            if index % 3 == 0 { slowing.succeed(name, from: address, at: Double(index)) }
        }
        #expect(slowing.size <= 100)
        for _ in 0..<5 { _ = slowing.begin("x", from: "10.0.39.14", at: 10_000) }
        for index in 0..<60 { _ = slowing.begin("y\(index)", from: "10.1.0.\(index)", at: 10_001) }
        #expect(slowing.begin("z", from: "10.0.39.14", at: 10_000) != nil)
    }
}
