import NIOCore
import Testing

@testable import SegueServer

@Suite struct `Limits of an address` {
    private let begin = ContinuousClock.now
    private let one = ClientAddress(high: 0, low: 1)
    private let other = ClientAddress(high: 0, low: 2)

    private func limits(
        connections: Int = 3,
        requests: Int = 2,
        rate: Int = 10,
        burst: Int = 4
    ) -> AddressLimits {
        AddressLimits(.init(connections: connections, requests: requests, rate: rate, burst: burst))
    }

    @Test func `connections of each address are counted until they end`() {
        var limits = limits(burst: 100)
        #expect((0..<4).map { _ in limits.open(one, now: begin) } == [nil, nil, nil, .connections])
        #expect(limits.open(other, now: begin) == nil)
        limits.close(one, now: begin)
        #expect(limits.open(one, now: begin) == nil)
        #expect(limits.open(one, now: begin) == .connections)
    }

    @Test func `requests are limited to a burst and a rate`() {
        var limits = limits(requests: 100)
        let answers = (0..<6).map { _ in limits.begin(one, now: begin) }
        #expect(answers[..<4].allSatisfy { $0 == .serve })
        for answer in answers[4...] {
            guard case .refuse(.rate, _, let retry) = answer else {
                Issue.record("\(answer)")
                continue
            }
            #expect(retry == .seconds(1))
        }
        #expect(limits.begin(other, now: begin) == .serve)
        #expect(limits.begin(one, now: begin + .milliseconds(100)) == .serve)
        #expect(limits.begin(one, now: begin + .milliseconds(100)) != .serve)
        #expect(
            (0..<5).map { _ in limits.begin(one, now: begin + .seconds(60)) == .serve } == [
                true, true, true, true, false,
            ]
        )
    }

    @Test func `new connections are limited to twice the rate`() {
        var limits = limits(connections: 100)
        #expect((0..<9).map { _ in limits.open(one, now: begin) } == Array(repeating: nil, count: 8) + [.rate])
        #expect(limits.open(one, now: begin + .milliseconds(50)) == nil)
    }

    @Test func `requests in flight are counted until they end`() {
        var limits = limits(burst: 100)
        #expect([limits.begin(one, now: begin), limits.begin(one, now: begin)] == [.serve, .serve])
        guard case .refuse(.requests, _, .seconds(1)) = limits.begin(one, now: begin) else {
            Issue.record("one too many is answered")
            return
        }
        limits.end(one, now: begin)
        #expect(limits.begin(one, now: begin) == .serve)
    }

    @Test func `rejections queue for a bounded time`() {
        var limits = limits(requests: 100_000)
        for _ in 0..<4 { _ = limits.begin(one, now: begin) }
        let waits: [Duration] = (0..<5000).compactMap { _ in
            guard case .refuse(_, let after, _) = limits.begin(one, now: begin) else { return nil }
            return after
        }
        #expect(waits.count == 5000 && waits[0] == .milliseconds(5) && waits[199] == .seconds(1))
        #expect(waits.max() == .seconds(10) && waits.last == .seconds(10))
    }

    @Test func `an idle address within its limits is removed`() {
        var limits = limits()
        for number in 0..<100_000 {
            let client = ClientAddress(high: UInt64(number), low: 0)
            let now = begin + .milliseconds(number)
            #expect(limits.open(client, now: now) == nil)
            #expect(limits.begin(client, now: now) == .serve)
            limits.end(client, now: now)
            limits.close(client, now: now)
        }
        #expect(limits.count < 3000)
    }

    @Test func `very many addresses take bounded memory and keep their open connections`() {
        var limits = limits(rate: 1, burst: 1)
        #expect(limits.open(one, now: begin) == nil)
        for number in 1..<400_000 { _ = limits.begin(ClientAddress(high: UInt64(number), low: 0), now: begin) }
        for number in 1..<400_000 { limits.end(ClientAddress(high: UInt64(number), low: 0), now: begin) }
        for number in 400_000..<600_000 {
            let client = ClientAddress(high: UInt64(number), low: 0)
            _ = limits.begin(client, now: begin)
            limits.end(client, now: begin)
        }
        #expect(limits.count < 300_000)
        #expect((0..<2).map { _ in limits.open(one, now: begin + .seconds(9)) } == [nil, nil])
        #expect(limits.open(one, now: begin + .seconds(9)) == .connections)
    }

    @Test func `trusted proxies have no limits, but their clients do`() {
        let proxy = ClientAddress("127.0.0.1")!
        let keeper = ClientLimiter(
            .init(connections: 1, requests: 1, rate: 1, burst: 1),
            proxies: TrustedProxies([AddressRange("127.0.0.1")!]),
            now: { [begin] in begin }
        )
        #expect((0..<5).allSatisfy { _ in keeper.open(proxy) == .exempt && keeper.begin(proxy) == .pass })
        let client = keeper.client(of: proxy) { $0 == "X-Forwarded-For" ? ["192.0.2.1"] : [] }
        #expect(keeper.begin(client) == .serve && keeper.begin(client) != .serve)
        #expect(keeper.refusals.requests == [.rate: 1] && keeper.refusals.connections == [:])
    }

    @Test func `changed limits apply at once, and open connections continue`() {
        let keeper = ClientLimiter(
            .init(connections: 1, requests: 1),
            proxies: TrustedProxies([]),
            now: { [begin] in begin }
        )
        let one = ClientAddress("192.0.2.1")!
        #expect(keeper.open(one) == .counted && keeper.begin(one) == .serve)
        keeper.change(.init(connections: 2, requests: 2), proxies: TrustedProxies([]))
        #expect(keeper.open(one) == .counted && keeper.begin(one) == .serve)
        keeper.change(.init(connections: 1, requests: 1), proxies: TrustedProxies([]))
        #expect(keeper.open(one) == .refused && keeper.begin(one) != .serve)
        // An address that becomes a proxy returns its counts and takes no new ones.
        keeper.change(.init(connections: 1, requests: 1), proxies: TrustedProxies([AddressRange("192.0.2.1")!]))
        #expect(keeper.open(one) == .exempt && keeper.begin(one) == .pass)
        for _ in 0..<2 {
            keeper.close(one)
            keeper.end(one)
        }
        keeper.change(.init(connections: 1, requests: 1), proxies: TrustedProxies([]))
        #expect(keeper.open(one) == .counted && keeper.begin(one) == .serve)
        #expect(keeper.open(one) == .refused && keeper.begin(one) != .serve)
    }

    @Test func `the default follows from memory and descriptors, and is at least eight`() {
        #expect(MachineLimits.connections(memory: 24 << 30, descriptors: 65_536) == 61_392)
        #expect(MachineLimits.connections(memory: 24 << 30, descriptors: 20_000) == 15_856)
        #expect(MachineLimits.connections(memory: 1 << 30, descriptors: 65_536) == 4096)
        #expect(MachineLimits.connections(memory: 24 << 30, descriptors: 1024) == 488)
        #expect(MachineLimits.connections(memory: 0, descriptors: 0) == 8)
        #expect([8, 64, 100, 32_744].map(MachineLimits.connections(byAddressOf:)) == [8, 64, 64, 8186])
    }

    @Test(arguments: [
        // Nothing at all, less than a kilobyte per second, more, nothing waiting in between.
        (0, 1000, 1000, true), (59_000, 1000, 1000, true), (62_000, 1000, 1000, false), (59_000, 1000, 0, false),
        (59_000, 0, 1000, false),
    ])
    func `a client that receives too slowly is disconnected`(taken: Int, before: Int, now: Int, isLeft: Bool) {
        let first = SendingSample(done: 1, taken: 5, left: before)
        let second = SendingSample(done: 1, taken: 5 + taken, left: now)
        #expect(second.isTooLittle(after: first, least: SendingSample.least(1024, in: .seconds(60))) == isLeft)
        #expect(second.isTooLittle(after: first, least: 0) == (taken == 0))
    }
}
