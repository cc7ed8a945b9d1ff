import SegueConformance
import Testing

@Suite struct `Multipart bodies` {
    private static let whole = Array("0123456789".utf8)
    private static let type = "multipart/byteranges; boundary=B"

    private static func body(_ second: String, end: String = "\r\n--B--\r\n") -> [UInt8] {
        let first = "--B\r\nContent-Type: video/mp2t\r\nContent-Range: bytes 1-1/10\r\n\r\n1\r\n"
        return Array((first + "--B\r\nContent-Range: bytes 8-9/10\r\n\r\n" + second + end).utf8)
    }

    private static func isTrue(_ body: [UInt8], _ type: String = type) -> Bool {
        MultipartBody.isTrue(body, contentType: type, ranges: [1..<2, 8..<10], of: whole)
    }

    @Test func `the parts equal the whole`() {
        #expect(Self.isTrue(Self.body("89")))
        #expect(Self.isTrue(Self.body("89"), "multipart/byteranges; boundary=\"B\""))
        #expect(Self.isTrue(Array("\r\n".utf8) + Self.body("89")))
    }

    @Test func `other bytes, a missing end, and another type are refused`() {
        #expect(!Self.isTrue(Self.body("88")))
        #expect(!Self.isTrue(Self.body("89", end: "")))
        #expect(!Self.isTrue(Self.body("89"), "video/mp2t"))
        #expect(!Self.isTrue(Self.whole))
    }
}

@Suite struct `Waivers` {
    private static var finding: BrokenRule {
        var subject = Good.transport
        subject.segments[1].startsWithIDR = false
        return Validator.findings(subject)[0]
    }

    @Test(arguments: [
        (Waiver(rule: "starts-with-idr", reason: "r"), true),
        (Waiver(rule: "starts-with-idr", place: "/a/", message: "needs earlier", reason: "r"), true),
        (Waiver(rule: "starts-with-idr", place: "/b/", reason: "r"), false),
        (Waiver(rule: "starts-with-idr", message: "no such", reason: "r"), false),
        (Waiver(rule: "one-sound", reason: "r"), false),
    ])
    func `waivers cover the findings that they name`(waiver: Waiver, covers: Bool) {
        #expect(waiver.covers(Self.finding) == covers)
    }
}
