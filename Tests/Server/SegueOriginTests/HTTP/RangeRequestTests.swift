import Testing

@testable import SegueOrigin

@Suite struct `Range request` {
    @Test(arguments: [
        ("bytes=0-0", 0..<1), ("bytes=0-", 0..<100), ("bytes=10-19", 10..<20),
        ("bytes=90-1000", 90..<100), ("bytes=-1", 99..<100), ("bytes=-1000", 0..<100),
        ("Bytes=5-6", 5..<7), ("bytes= 5-6 ", 5..<7),
        ("bytes=0-99999999999999999999999", 0..<100), ("bytes=0-9223372036854775807", 0..<100),
    ])
    func `a range is clamped to the body`(header: String, range: Range<Int64>) {
        #expect(RangeRequest(header, length: 100) == .parts([range]))
    }

    @Test(arguments: [
        ("bytes=0-9,20-29", [0..<10, 20..<30]), ("bytes= 0-0 ,\t-1", [0..<1, 99..<100]),
        ("bytes=,0-0,,2-2,", [0..<1, 2..<3]), ("bytes=50-59,0-9", [50..<60, 0..<10]),
        ("bytes=0-9,100-,20-29,-0", [0..<10, 20..<30]), ("bytes=200-,5-5", [5..<6]),
    ])
    func `several ranges keep their order, without nonexistent ones`(
        header: String,
        ranges: [Range<Int64>]
    ) {
        #expect(RangeRequest(header, length: 100) == .parts(ranges))
    }

    @Test(arguments: [
        ("bytes=0-9,5-14", [0..<15]), ("bytes=0-9,10-19", [0..<20]), ("bytes=0-9,0-9,0-9", [0..<10]),
        ("bytes=0-9,80-89,40-49,5-85", [0..<90]), ("bytes=90-99,0-,3-4", [0..<100]),
        ("bytes=30-39,0-4,20-29,90-", [20..<40, 0..<5, 90..<100]), ("bytes=0-10,-95", [0..<100]),
    ])
    func `overlapping and adjacent ranges are merged`(header: String, ranges: [Range<Int64>]) {
        #expect(RangeRequest(header, length: 100) == .parts(ranges))
    }

    @Test func `too many ranges result in the whole body`() {
        let ranges = { (count: Int) in "bytes=" + (0..<count).map { "\($0 * 2)-\($0 * 2)" }.joined(separator: ",") }
        guard case .parts(let parts) = RangeRequest(ranges(RangeRequest.limit), length: 1_000_000) else {
            Issue.record("as many as are allowed are parts")
            return
        }
        #expect(parts.count == RangeRequest.limit)
        #expect(RangeRequest(ranges(RangeRequest.limit + 1), length: 1_000_000) == .whole)
        #expect(RangeRequest("bytes=" + String(repeating: "0-,", count: 100_000), length: 1_000_000) == .whole)
    }

    @Test(arguments: ["bytes=100-", "bytes=100-200", "bytes=-0", "bytes=99999999999999999999999-", "bytes=100-,-0"])
    func `a range outside the body cannot be satisfied`(header: String) {
        #expect(RangeRequest(header, length: 100) == .unsatisfiable)
    }

    @Test(arguments: [
        nil, "", "bytes", "bytes=", "bytes=,", "bytes=-", "bytes=5-2", "bytes=a-b", "bytes=1-2-3", "items=0-1",
        "bytes=+1-2", "bytes=--1", "bytes=0-1,x", "bytes=0-1,5-2", "bytes=0-1;3-4",
    ])
    func `any other value means the whole body`(header: String?) {
        #expect(RangeRequest(header, length: 100) == .whole)
    }

    @Test func `an empty body has no ranges`() {
        #expect(RangeRequest("bytes=0-", length: 0) == .unsatisfiable)
        #expect(RangeRequest("bytes=-5", length: 0) == .unsatisfiable)
    }
}
