import SegueBase
import SegueFetch
import SegueNetworkModel
import Testing

@Suite struct `Time of a request` {
    @Test func `is sent in virtual time, in seconds`() {
        var request = FetchRequest(id: FetchID(1), url: "http://a/", headers: [("A", "b")])
        #expect(request.tellingTime.headers.map { "\($0): \($1)" } == ["A: b"])
        request.cameAt = Instant(seconds: 37.25)
        #expect(request.tellingTime.headers.map { "\($0): \($1)" } == ["A: b", "Segue-Time: 37.250"])
    }
}
