import Foundation
import HTTPTypes
import NIOCore
import SegueConcurrency
import SegueFFmpeg
import SegueOrigin
import SegueOriginTestSupport
import SegueTestSupport
import Testing

@testable import SegueServer

@Suite struct `A heavy and a light client` {
    private let begin = ContinuousClock.now
    private let many = ClientAddress(high: 0, low: 1)
    private let few = ClientAddress(high: 0, low: 2)

    @Test func `a client that is alone is never delayed`() {
        var crowd = FairShareLimiter(processors: 1, now: begin)
        for load in 1...1000 {
            let wait = crowd.wait(.seconds(1), for: many, load: load, now: begin)
            #expect(wait == .zero)
        }
    }

    @Test func `a client with more than twice the load of another one gets an eighth of the processors`() {
        for processors in [1, 4] {
            var crowd = FairShareLimiter(processors: processors, now: begin)
            _ = crowd.wait(.milliseconds(1), for: few, load: 1, now: begin)
            let waits = (0..<5).map { _ in crowd.wait(.milliseconds(1), for: many, load: 3, now: begin) }
            #expect(waits == (0..<5).map { .milliseconds($0 * 8) / processors })
            // The other client never waits, nor does a request after the queue is empty.
            let other = crowd.wait(.seconds(1), for: few, load: 1, now: begin)
            let later = crowd.wait(.milliseconds(1), for: many, load: 3, now: begin + .milliseconds(40))
            #expect([other, later] == [.zero, .zero])
        }
    }

    @Test func `all heavy clients share one queue, which is bounded`() {
        var crowd = FairShareLimiter(processors: 1, now: begin)
        _ = crowd.wait(.zero, for: few, load: 1, now: begin)
        let waits = (10..<10_000).map { number in
            crowd.wait(.milliseconds(1), for: ClientAddress(high: number, low: 0), load: 9, now: begin)
        }
        #expect(waits[..<4] == [.zero, .milliseconds(8), .milliseconds(16), .milliseconds(24)])
        #expect(waits.max()! <= FairShareLimiter.longest)
    }

    @Test(arguments: [(100, 1), (3000, 3), (1_000_000, 16)])
    func `costs follow from the measured processor time`(milliseconds: Int, factor: Int) {
        var crowd = FairShareLimiter(processors: 1, now: begin)
        crowd.sample(.seconds(7), now: begin)
        #expect(!crowd.needsSample(begin + .milliseconds(249)) && crowd.needsSample(begin + .milliseconds(250)))
        for _ in 0..<1000 { _ = crowd.wait(.milliseconds(1), for: few, load: 1, now: begin) }
        crowd.sample(.seconds(7) + .milliseconds(milliseconds), now: begin)
        let waits = (0..<2).map { _ in crowd.wait(.milliseconds(1), for: many, load: 9, now: begin) }
        #expect(waits == [.zero, .milliseconds(8 * factor)])
    }

    @Test func `two heavy clients are delayed only by the presence of a lighter one`() {
        var crowd = FairShareLimiter(processors: 1, now: begin)
        let other = ClientAddress(high: 0, low: 3)
        for client in [many, other, many, other] {
            let wait = crowd.wait(.seconds(1), for: client, load: client == many ? 60 : 30, now: begin)
            #expect(wait == .zero)
        }
        _ = crowd.wait(.zero, for: few, load: 10, now: begin)
        let waits = [many, other].map { crowd.wait(.milliseconds(1), for: $0, load: $0 == many ? 60 : 30, now: begin) }
        #expect(waits == [.zero, .milliseconds(8)])
    }

    @Test func `delays end ten seconds after the other client was active`() {
        var crowd = FairShareLimiter(processors: 1, now: begin)
        _ = crowd.wait(.zero, for: few, load: 1, now: begin)
        // The heavy client had a light load at first, and does not count as another client for itself.
        _ = crowd.wait(.zero, for: many, load: 1, now: begin)
        _ = crowd.wait(.seconds(1), for: many, load: 9, now: begin + .seconds(9))
        let before = crowd.wait(.zero, for: many, load: 9, now: begin + .milliseconds(9999))
        let after = crowd.wait(.zero, for: many, load: 9, now: begin + .seconds(10))
        #expect(before > .zero && after == .zero)
    }

    /// The next job of a pool with one processor.
    private func taken(_ state: inout PoolState, _ now: ContinuousClock.Instant) -> UInt64? {
        guard case .job(_, let number, _) = state.take(.slow, ThreadClock(), now: now) else { return nil }
        return number
    }

    private func pool() -> PoolState {
        PoolState(threads: [.slow: 4], untilSlow: .seconds(9), share: ClientShare(processors: 1, encodings: 99))
    }

    private func add(_ client: String, _ state: inout PoolState, _ now: ContinuousClock.Instant) -> UInt64 {
        let (number, order) = (state.nextNumber(), WorkOrder(.slow, client: client))
        let job = PoolJob(cancellation: Cancellation(), run: {}, refuse: { Issue.record("it is refused: \($0)") })
        _ = state.enqueue(job, number: number, order, limits: [.slow: 99], now: now)
        return number
    }

    @Test func `a client with much long work pauses for four times its last job while another works`() {
        var state = pool()
        let much = (0..<9).map { _ in add("many", &state, begin) }
        #expect(taken(&state, begin) == much[0])
        var now = begin + .milliseconds(100)
        let first = add("few", &state, now)
        #expect(taken(&state, now) == first)
        let cpu = ThreadClock().time
        _ = state.finish(much[0], cpu: cpu + .milliseconds(500), now: now)
        // The other client's job has ended, and its next one follows a moment later.
        _ = state.finish(first, cpu: cpu, now: now)
        #expect(taken(&state, now) == nil)
        let second = add("few", &state, now)
        #expect(taken(&state, now) == second)
        now += .milliseconds(1900)
        #expect(taken(&state, now) == nil)
        now += .milliseconds(200)
        #expect(taken(&state, now) == much[1])
    }

    @Test func `it does not pause without others, or with an idle processor`() {
        for (processors, asks) in [(1, false), (3, true)] {
            var state = PoolState(
                threads: [.slow: 4],
                untilSlow: .seconds(9),
                share: ClientShare(processors: processors, encodings: 99)
            )
            let much = (0..<9).map { _ in add("many", &state, begin) }
            let first = asks ? add("few", &state, begin) : 0
            #expect(taken(&state, begin) == much[0])
            if asks { #expect(taken(&state, begin) == first) }
            _ = state.finish(much[0], cpu: ThreadClock().time + .seconds(1), now: begin)
            #expect(taken(&state, begin) == much[1])
        }
    }

    @Test func `a watch wakes paused work until all is done`() {
        var state = pool()
        let much = (0..<6).map { _ in add("many", &state, begin) }
        #expect(taken(&state, begin) == much[0])
        let isWatched = state.beginLook()
        #expect(isWatched)
        _ = state.finish(much[0], cpu: ThreadClock().time + .seconds(1), now: begin)
        let few = add("few", &state, begin)
        #expect(taken(&state, begin) == few)
        _ = state.finish(few, cpu: ThreadClock().time, now: begin)
        guard case .nothing(needsLook: false) = state.take(.slow, ThreadClock(), now: begin) else {
            Issue.record("it does not rest, or somebody is told to look who does")
            return
        }
        let isLookedAfter = state.beginLook()
        #expect(state.running.isEmpty && isLookedAfter)
        let passedOver = state.takePassedOver().map(\.count)
        #expect(passedOver == [5])
        for number in much { _ = state.cancel(number, now: begin) }
        let isOver = !state.beginLook()
        #expect(isOver)
    }

    @Test func `pipelined requests are read one at a time`() async throws {
        let fairness = OriginServer.Fairness(allowance: .init(requests: 1))
        try await withServer(
            queueLimit: 9,
            fairness: fairness,
            { request, _ in
                OriginResponse(
                    status: 200,
                    headers: [.contentLength: "2"],
                    body: .bytes(Array(request.target.utf8))
                )
            }
        ) { address in
            let ahead = (0..<9).map { "POST /\($0) HTTP/1.1\r\nHost: x\r\nContent-Length: 4\r\n\r\n\r\n\r\n" }
            let text = try await address.wholeExchange(
                ahead.joined() + "GET /9 HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"
            )
            #expect(text.components(separatedBy: "HTTP/1.1 200 OK\r\n").count == 11, "\(text)")
            for number in 0..<10 { #expect(text.contains("\r\n\r\n/\(number)")) }
        }
    }

    @Test func `a connection with too many pipelined bytes is closed unread`() async throws {
        let folder = try TestFolder()
        let log = try AccessLog(folder.file("log")) { Issue.record("\($0)") }
        let (hasCome, isGone, mayEnd) = (Gate(), Gate(), Gate())
        defer { mayEnd.open() }
        try await withServer(
            isPatient: true,
            fairness: .init(log: log),
            { request, _ in
                _ = request.client?.whenCancelled { isGone.open() }
                hasCome.open()
                mayEnd.wait()
                return OriginResponse(status: 200, headers: [.contentLength: "0"], body: .empty)
            }
        ) { address in
            let one = "GET /work HTTP/1.1\r\nHost: x\r\n\r\n"
            let client = try await address.connection(sending: one)
            try await blocking { hasCome.wait() }.value
            try await client.writeAndFlush(ByteBuffer(string: String(repeating: one, count: 1500)))
            // The end of its input makes the server read on.
            try? await client.close(mode: .output)
            try await blocking { isGone.wait() }.value
            mayEnd.open()
            try? await client.close()
        }
        try await blocking { log.end() }.value
        #expect(try String(contentsOfFile: folder.file("log"), encoding: .utf8).split(separator: "\n").count == 1)
    }

    @Test(
        arguments: [
            ("Name:\tx\nCpus_allowed:\t00000000,00000003\nCpus_allowed_list:\t0-1\n", 2),
            ("Cpus_allowed:\tff,0000000f", 12),
            ("Cpus_allowed:\t0\n", nil), ("Cpus_allowed_list:\t0-1\n", nil), ("", nil),
        ] as [(String, Int?)]
    )
    func `the affinity limits the number of processors`(status: String, count: Int?) {
        #expect(MachineLimits.processors(status: status) == count)
    }
}
