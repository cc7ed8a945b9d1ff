import Foundation
import SegueOrigin
import SegueSuite
import SegueTestSupport
import Synchronization
import Testing

@testable import segue

@Suite struct `Sending commands to a server` {
    private static func response(_ status: String, _ fields: String = "") -> [LoopbackServer.Step] {
        [.send(Array("HTTP/1.1 \(status)\r\n\(fields)Content-Length: 2\r\n\r\nok".utf8))]
    }

    /// Sends a command to a server that answers with these responses, one after the other, and the last one from then on.
    private func results(_ responses: [[LoopbackServer.Step]]) async throws -> (run: CommandRun, requests: Int) {
        let count = Mutex(0)
        let server = try LoopbackServer.answering { _ in
            let number = count.withLock { count in
                defer { count += 1 }
                return count
            }
            return responses[min(number, responses.count - 1)]
        }
        defer { server.stop() }
        let sender = CommandSender(base: try ServerBase(server.url("/")), patience: .seconds(10), headers: [])
        let command = ServerCommand(.health, "health", at: "health", expect: [.status(200)])
        let run = try await sender.send(CommandRun([command])) { _ in }
        return (run, count.withLock { $0 })
    }

    @Test(arguments: ["429 Too Many Requests", "503 Service Unavailable"])
    func `a command that is refused for a time is sent again`(status: String) async throws {
        let refusal = Self.response(status, "Retry-After: 0\r\n")
        let (run, requests) = try await results([refusal, refusal, Self.response("200 OK")])
        #expect(run.results.map(\.status) == [200])
        #expect(run.results.flatMap(\.findings) == [])
        #expect(requests == 3)
    }

    @Test func `a command that is refused each time fails, and one without a time at once`() async throws {
        let always = try await results([Self.response("429 Too Many Requests", "Retry-After: 0\r\n")])
        #expect(always.run.results.map(\.status) == [429] && always.requests == 6)
        let untimed = try await results([Self.response("429 Too Many Requests")])
        #expect(untimed.run.results.map(\.status) == [429] && untimed.requests == 1)
    }
}
