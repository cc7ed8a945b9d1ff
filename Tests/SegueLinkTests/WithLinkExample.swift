import Foundation
import FoundationNetworking
import SegueLink
import Testing

@Suite struct `A download over 3G` {
    @Test func `takes as long as a slow network makes it`() async throws {
        let server = try FileServer(bytes: 50_000)
        defer { server.stop() }
        let seconds = try await withLink(network: "3g", to: server.address) { address in
            let start = ContinuousClock.now
            let url = try #require(URL(string: "http://\(address)/"))
            let (body, _) = try await URLSession.shared.data(from: url)
            #expect(body.count == 50_000)
            return (ContinuousClock.now - start) / .seconds(1)
        }
        // 50 kB on 780 kbit/s, after a handshake and a request of 200 ms each.
        #expect(seconds > 0.9)
    }
}
