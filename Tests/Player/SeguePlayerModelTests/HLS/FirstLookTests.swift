import SegueBase
import SegueFetch
import Testing

@testable import SeguePlayerModel

@Suite struct FirstLookTests {
    /// Requests for segments of 100,000 bytes, each with the number of bytes that have arrived.
    private static func requests(received counts: [Int]) -> [SegmentRequest] {
        counts.map { count in
            var request = SegmentRequest()
            request.begin(FetchRequest(id: FetchID(1), url: "http://a/1.ts"), for: .segment(0), at: .zero)
            let headers = [("content-length", "100000")]
            let response = FetchResponse(status: 200, headers: headers, url: "http://a/1.ts", serverAddress: "")
            request.receive(response, at: .zero)
            _ = request.receive(FetchBytes([UInt8](repeating: 0, count: count)), at: .zero)
            return request
        }
    }

    @Test func `a request is interrupted once, with enough data`() throws {
        var context = StepContext(settings: try Shipped.platform("desktop").loading)
        var look = FirstLook()
        var requests = Self.requests(received: [32_767, 32_768, 50_000])
        let broken = requests.indices.map { look.breakOff(&requests[$0], &context) }
        #expect(broken == [false, true, false])
        #expect(requests.map { $0.transfer == nil } == broken)
    }

    @Test func `a complete segment is discarded once`() {
        var look = FirstLook()
        var requests = Self.requests(received: [99_999, 100_000, 100_000])
        let dropped = requests.indices.map { look.drop(&requests[$0]) }
        #expect(dropped == [false, true, false])
        #expect(requests.map { $0.transfer == nil } == dropped)
    }
}
