import SegueBase
import SegueOriginTestSupport
import Testing

@testable import SegueOrigin

@Suite struct `Request target` {
    @Test func `path and query are parsed`() throws {
        let target = try RequestTarget("/items/abc/index.m3u8?background=1&offset=12.5&q=a%20b+c")
        #expect(target.components == ["items", "abc", "index.m3u8"])
        #expect(try target.query.flag("background"))
        #expect(try target.query.seconds("offset") == Rational(25, 2))
        #expect(try target.query.text("q") == "a b c")
        #expect(try target.query.text("absent") == nil)
    }

    @Test(arguments: ["/", "/?q=x", "http://host:80/", "http://host", "/#top"])
    func `the page's target has no components`(target: String) throws {
        #expect(try RequestTarget(target).components.isEmpty)
    }

    @Test(arguments: [
        "", "items", "*", "/..", "/items/../../etc/passwd", "/items/%2e%2e/x", "/items/%2E%2e%2Fx",
        "/items/..%2f..%2fx",
        "/items/%252e%252e/x", "/items/%252fetc", "/items/..\\..\\x", "/items/%5c..%5cx", "/items/a%00b", "/items/%",
        "/items/%4", "/items/%zz", "/items/./x", "/items/%2e/x", "/items/a b", "/items/a%20b", "/items/%c0%ae%c0%ae/x",
        "/items/\u{1}", "/items/\u{e9}", "/items/a;b", "/items/a:b",
    ])
    func `a malicious target is rejected`(target: String) throws {
        let failure = try #require(throws: OriginFailure.self) { try RequestTarget(target) }
        #expect(failure.status == 400)
    }

    @Test func `an overlong target is rejected`() throws {
        let failure = try #require(throws: OriginFailure.self) {
            try RequestTarget("/" + String(repeating: "a", count: 5000))
        }
        #expect(failure.status == 414)
    }

    @Test(arguments: ["q=%ff", "q=%", "q=a%00", "%ff=1", "q=1&q=2"])
    func `a malformed query value is rejected by name`(query: String) throws {
        let failure = try #require(throws: OriginFailure.self) { try RequestTarget("/?\(query)").query.text("q") }
        #expect(failure.status == 400 && failure.code == "badQuery")
        #expect(query.hasPrefix("%") || failure.message.hasPrefix("q: "))
    }

    @Test(arguments: ["", "-1", "1e3", "nan", "inf", "1.2.3", "1.", ".5", "0x10", " 1", "1,5", "99999999999"])
    func `a malformed offset is rejected by name`(value: String) throws {
        let target = try RequestTarget("/?offset=\(PercentCoding.encode(value))")
        let failure = try #require(throws: OriginFailure.self) { try target.query.seconds("offset") }
        #expect(failure.message.hasPrefix("offset: "))
    }

    @Test(arguments: [
        ("0", Rational.zero), ("12", Rational(12)), ("0.1", Rational(1, 10)),
        ("1.0000000019", Rational(1_000_000_001, 1_000_000_000)),
    ])
    func `an offset is exact`(value: String, time: Rational) throws {
        #expect(try RequestTarget("/?offset=\(value)").query.seconds("offset") == time)
    }

    @Test func `flags, numbers, and choices reject other values`() throws {
        enum Sort: String, CaseIterable { case up, down }
        let query = try RequestTarget("/?background=yes&limit=0&sort=left&wide=%2B7").query
        #expect(throws: OriginFailure.self) { try query.flag("background") }
        #expect(throws: OriginFailure.self) { try query.integer("limit", in: 1...10) }
        let failure = try #require(throws: OriginFailure.self) { try query.choice("sort", of: Sort.self) }
        #expect(failure.message == "sort: 'left' is not one of up, down")
        #expect(try query.integer("absent", in: 1...10) == nil)
    }
}
