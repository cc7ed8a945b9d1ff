import Fetch
import TestSupport
import Testing
import Timeline

@Suite(.timeLimit(.minutes(1))) struct `Blocking fetcher` {
    private func head(_ headers: String...) -> LoopbackServer.Step {
        .send(Array((["HTTP/1.1 200 OK"] + headers + ["", ""]).joined(separator: "\r\n").utf8))
    }

    @Test func `an answer without end is refused once it is more than is held`() throws {
        let server = try LoopbackServer { _ in [head("Content-Type: audio/mpeg"), .sendForever([1, 2, 3, 4])] }
        defer { server.stop() }
        let fetcher = try BlockingFetcher(most: 100_000)
        let answer = fetcher.respond(to: FetchRequest(id: FetchID(1), url: server.url("/"), limit: .max))
        #expect(answer.response.status == 502)
        #expect(String(decoding: answer.body.bytes, as: UTF8.self).contains("more than the 100000 bytes"))
        #expect(fetcher.lastFailure?.reason == .tooLarge)
        #expect(server.waitForCloses(1))
    }

    @Test func `an answer that announces too much is refused at once, but not the head alone`() throws {
        let server = try LoopbackServer { _ in [head("Content-Length: 100001"), .stall] }
        defer { server.stop() }
        let fetcher = try BlockingFetcher(most: 100_000)
        let whole = fetcher.respond(to: FetchRequest(id: FetchID(1), url: server.url("/"), limit: .max))
        #expect(whole.response.status == 502 && fetcher.lastFailure?.reason == .tooLarge)
        let alone = fetcher.respond(to: FetchRequest(id: FetchID(2), url: server.url("/"), isHead: true))
        #expect(alone.response.status == 200 && alone.body.isEmpty)
    }
}
