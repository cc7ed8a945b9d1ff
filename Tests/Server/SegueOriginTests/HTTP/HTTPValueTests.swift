import HTTPTypes
import SegueOriginTestSupport
import Testing

@testable import SegueOrigin

@Suite struct `HTTP values` {
    @Test(arguments: ["\"a\"", "W/\"a\"", "\"b\", \"a\"", " \"b\" ,W/\"a\"", "*"])
    func `a list that names the tag matches`(value: String) {
        #expect(ContentTag.list(value, names: "\"a\""))
    }

    @Test(arguments: ["", "\"b\"", "a", "\"ab\""])
    func `a list that does not name the tag does not match`(value: String) {
        #expect(!ContentTag.list(value, names: "\"a\""))
    }

    @Test func `a tag identifies bytes and is the same in every run`() {
        let text = Array("#EXTM3U\n".utf8)
        #expect(ContentTag.of(text) == "\"400eb4ad471f8cfc11d87bcc8621cc10\"")
        let bytes = (0..<200).map { UInt8($0) }
        let tags = Set((0...200).map { StableHash.hex(bytes.prefix($0)) })
        #expect(tags.count == 201)
        let flipped = Set(
            (0..<200).map { index in
                var changed = bytes
                changed[index] ^= 1
                return StableHash.hex(changed)
            }
        )
        #expect(flipped.count == 200 && !flipped.contains(StableHash.hex(bytes)))
    }

    @Test func `header names are found in any case`() {
        let request = OriginRequest(target: "/", headers: HTTPFields(named: [("rAnGe", "bytes=0-")]))
        #expect(request.headers[.range] == "bytes=0-")
    }

    @Test func `errors are one JSON object with code and message`() throws {
        let response = OriginFailure.notFound("no \"such\" item").response
        guard case .bytes(let body) = response.body else {
            Issue.record("an error has a body")
            return
        }
        #expect(String(decoding: body, as: UTF8.self) == #"{"error":{"code":"notFound","message":"no \"such\" item"}}"#)
        #expect(response.headers[.contentLength] == "\(body.count)")
    }
}
