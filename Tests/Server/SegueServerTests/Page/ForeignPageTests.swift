import HTTPTypes
import SegueAccess
import SegueOrigin
import Testing

@testable import SegueServer

@Suite struct `Pages of other servers` {
    @Test(arguments: [([String](), false, false), (["https://player.example"], true, false), (["*"], true, true)])
    func `may read what they are named for`(named: [String], isRead: Bool, isReadByAll: Bool) async throws {
        let origins = try #require(CrossOrigin(named))
        let guarded = try Guarded(origins: origins)
        try await withServer(threads: 2, door: guarded.door, Guarded.who) { address in
            for (origin, isAllowed) in [("https://player.example", isRead), ("https://evil.example", isReadByAll)] {
                let refusal = try await address.ask("/a", ["Origin: \(origin)"])
                #expect(refusal.status == 401 && refusal.head.contains("Access-Control-Allow-Origin") == isAllowed)
                let fields = ["Origin: \(origin)", "Access-Control-Request-Method: GET"]
                let question = try await address.ask("/a", fields, method: "OPTIONS")
                #expect(question.status == (isAllowed ? 204 : 401))
                #expect(question.head.contains("Access-Control-Allow-Headers") == isAllowed)
                let other = try await address.ask("/nothing", fields, method: "OPTIONS")
                #expect(undated(other.head) == undated(question.head))
            }
        }
    }

    @Test(arguments: ["player.example", "https://player.example/", "https://a b", "", "https://"])
    func `are named by their origin and nothing else`(name: String) { #expect(CrossOrigin([name]) == nil) }

    @Test func `are told nothing in an answer where none is named`() throws {
        #expect(CrossOrigin.none.fields(for: "https://evil.example").isEmpty)
        #expect(CrossOrigin.none.preflight(for: "https://evil.example").headers.map(\.name) == [.allow])
    }
}
