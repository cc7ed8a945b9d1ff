import SegueCurl
import SegueTestSupport
import Testing

@testable import SegueFetch

@Suite struct `Size of a request` {
    @Test(
        arguments: [nil, FetchRange(offset: 0, length: 1), FetchRange(offset: 99_999, length: 900_001)],
        [false, true]
    )
    func `is equal in virtual time and in libcurl`(range: FetchRange?, isHead: Bool) throws {
        let server = try LoopbackServer.answering { request in
            let count = request.head.utf8.count
            return [.send(Array("HTTP/1.1 200 OK\r\nX-Size: \(count)\r\nContent-Length: 0\r\n\r\n".utf8))]
        }
        defer { server.stop() }
        var request = FetchRequest(
            id: FetchID(1),
            url: server.url("/a%20b/media0.ts?tag=1&x"),
            range: range,
            headers: [(name: "CMCD-Request", value: "su"), (name: "X-Empty-Not", value: "a b")]
        )
        request.isHead = isHead
        let answer = try BlockingFetcher().respond(to: request)
        let sent = try #require(answer.response.headers.first { $0.name == "x-size" }.flatMap { Int($0.value) })
        #expect(try #require(FetchURL(request.url)).size(of: request) == sent)
    }
}
