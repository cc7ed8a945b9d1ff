import Testing

@testable import Origin

@Suite struct `Range request` {
    @Test(arguments: [
        ("bytes=0-0", RangeRequest.part(0..<1)), ("bytes=0-", .part(0..<100)), ("bytes=10-19", .part(10..<20)),
        ("bytes=90-1000", .part(90..<100)), ("bytes=-1", .part(99..<100)), ("bytes=-1000", .part(0..<100)),
        ("Bytes=5-6", .part(5..<7)), ("bytes= 5-6 ", .part(5..<7)),
        ("bytes=0-99999999999999999999999", .part(0..<100)), ("bytes=0-9223372036854775807", .part(0..<100)),
    ])
    func `one range is cut to the body`(header: String, range: RangeRequest) {
        #expect(RangeRequest(header, length: 100) == range)
    }

    @Test(arguments: ["bytes=100-", "bytes=100-200", "bytes=-0", "bytes=99999999999999999999999-"])
    func `a range outside the body cannot be satisfied`(header: String) {
        #expect(RangeRequest(header, length: 100) == .unsatisfiable)
    }

    @Test(arguments: [
        nil, "", "bytes", "bytes=", "bytes=-", "bytes=5-2", "bytes=a-b", "bytes=1-2-3", "items=0-1", "bytes=0-1,3-4",
        "bytes=+1-2", "bytes=--1",
    ])
    func `anything else means the whole body`(header: String?) {
        #expect(RangeRequest(header, length: 100) == .whole)
    }

    @Test func `an empty body has no ranges`() {
        #expect(RangeRequest("bytes=0-", length: 0) == .unsatisfiable)
        #expect(RangeRequest("bytes=-5", length: 0) == .unsatisfiable)
    }
}
