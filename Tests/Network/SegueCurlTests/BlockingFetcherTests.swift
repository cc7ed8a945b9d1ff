import SegueBase
import SegueCurl
import SegueFetch
import SegueNetworkModel
import SegueTestSupport
import Testing

@Suite struct `Blocking fetcher` {
    private func head(_ headers: String...) -> LoopbackServer.Step {
        .send(Array((["HTTP/1.1 200 OK"] + headers + ["", ""]).joined(separator: "\r\n").utf8))
    }

    @Test func `rejects an endless response at the size limit`() throws {
        let server = try LoopbackServer { _ in [head("Content-Type: audio/mpeg"), .sendForever([1, 2, 3, 4])] }
        defer { server.stop() }
        let fetcher = try BlockingFetcher(most: 100_000)
        let answer = fetcher.respond(to: FetchRequest(id: FetchID(1), url: server.url("/"), limit: .max))
        #expect(answer.response.status == 0 && answer.body.isEmpty)
        #expect(answer.response.failure?.description.contains("exceeds the limit of 100000 bytes") == true)
        #expect(answer.response.failure?.reason == .tooLarge)
        #expect(server.waitForCloses(1))
    }

    @Test func `fetches a response completely, even if the simulated client does not read it`() throws {
        let server = try LoopbackServer.answering { request in
            [self.head("Content-Length: 1"), .send([UInt8(request.connection)])]
        }
        defer { server.stop() }
        let fetcher = try BlockingFetcher()
        for (number, lane) in [(1, ""), (2, "a"), (3, "b")] {
            var request = FetchRequest(id: FetchID(number), url: server.url("/"))
            (request.isUnread, request.lane) = (true, lane)
            #expect(fetcher.respond(to: request).body.bytes == [1])
        }
    }

    @Test func `rejects an announced size above the limit at once, except for HEAD`() throws {
        let server = try LoopbackServer { _ in [head("Content-Length: 100001"), .stall] }
        defer { server.stop() }
        let fetcher = try BlockingFetcher(most: 100_000)
        let whole = fetcher.respond(to: FetchRequest(id: FetchID(1), url: server.url("/"), limit: .max))
        #expect(whole.response.failure?.reason == .tooLarge)
        var request = FetchRequest(id: FetchID(2), url: server.url("/"))
        request.isHead = true
        let alone = fetcher.respond(to: request)
        #expect(alone.response.status == 200 && alone.body.isEmpty && alone.response.failure == nil)
    }

    /// The steps of a server, and the result: the status (0 without a head), the received bytes, and the failure.
    @Test(arguments: [
        (
            [LoopbackServer.Step.send(Array("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n12345".utf8)), .close], 200, 5,
            "truncated"
        ),
        ([.send(Array("HTTP/1.1 206 OK\r\nContent-Length: 9\r\n\r\n".utf8)), .close], 206, 0, "truncated"),
        ([.send(Array("HTTP/1.1 200 OK\r\nConte".utf8)), .close], 0, 0, "connectionLost truncated"),
        ([.close], 0, 0, "connectionLost"),
    ])
    func `returns the received part of a truncated response with its failure`(
        steps: [LoopbackServer.Step],
        status: Int,
        count: Int,
        reasons: String
    ) throws {
        let server = try LoopbackServer { _ in steps }
        defer { server.stop() }
        let request = FetchRequest(id: FetchID(1), url: server.url("/1.ts"))
        let answer = try BlockingFetcher().respond(to: request)
        #expect(answer.response.status == status && answer.body.count == count)
        let reason = try #require(answer.response.failure?.reason)
        #expect(reasons.contains(reason.rawValue))

        let fetches = Fetches()
        let live = try fetches.liveFetcher()
        live.start(request, at: .zero)
        let real = fetches.result(of: 1)
        live.close()
        let fetcher = try BlockingFetcher()
        let run = SimulatedRun(Self.network, respond: fetcher.respond)
        run.start(request)
        run.run()
        let virtual = run.result(of: 1)
        #expect(virtual.error == real.error && virtual.error?.reason == reason)
        #expect(virtual.body == real.body && virtual.response?.status == real.response?.status)
        #expect(!virtual.isFinished)
    }

    @Test func `fails for an unreachable server like in real time`() throws {
        let unheard = try UnheardPort()
        defer { withExtendedLifetime(unheard) {} }
        let fetcher = try BlockingFetcher()
        let run = SimulatedRun(Self.network, respond: fetcher.respond)
        run.start(FetchRequest(id: FetchID(1), url: "http://127.0.0.1:\(unheard.port)/1.ts"))
        run.run()
        let failure = try #require(run.result(of: 1).error)
        #expect(failure.reason == .cannotConnect)
        #expect(run.result(of: 1).response == nil)
    }

    @Test func `fails for a stalled response after the request's patience`() throws {
        let server = try LoopbackServer { _ in [head("Content-Length: 9"), .send([1, 2]), .stall] }
        defer { server.stop() }
        let fetcher = try BlockingFetcher()
        let run = SimulatedRun(Self.network, respond: fetcher.respond)
        run.start(FetchRequest(id: FetchID(1), url: server.url("/1.ts"), patience: .milliseconds(700)))
        run.run()
        let result = run.result(of: 1)
        #expect(result.error?.reason == .timedOut && result.body == [1, 2] && result.response?.status == 200)
    }

    private static let network = LinkProfile(
        name: "test",
        down: LinkProfile.Direction(bitsPerSecond: 8_000_000, delay: .milliseconds(50)),
        up: LinkProfile.Direction(bitsPerSecond: 8_000_000, delay: .milliseconds(50))
    )
}
