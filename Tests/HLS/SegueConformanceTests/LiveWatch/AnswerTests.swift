import Testing

@testable import SegueConformance

@Suite struct AnswerTests {
    @Test(arguments: [
        ("http://h/a", "http://h/a?_HLS_msn=7&_HLS_part=2"),
        ("http://h/a?b=c", "http://h/a?b=c&_HLS_msn=7&_HLS_part=2"),
        ("http://h/a?b", "http://h/a?b&_HLS_msn=7&_HLS_part=2"),
    ])
    func `directives are added to a URL and split off`(plain: String, asked: String) {
        let directives = Directives(sequence: 7, part: 2)
        #expect(directives.added(to: plain) == asked)
        #expect(Directives.split(asked) == (plain, directives))
        #expect(Directives.split(plain) == (plain, Directives()))
    }

    @Test(
        arguments: [
            (["age": "4"], []), (["age": "5"], ["live-cached-long"]), (["cache-control": "max-age=4"], []),
            (["cache-control": "max-age=5"], ["live-cached-long"]),
            (["cache-control": "max-age=3, s-maxage=9"], ["live-cached-long"]),
            (["cache-control": "no-cache, max-age=9"], []), (["age": "99999999999999999999"], []),
        ] as [([String: String], [String])]
    )
    func `caches keep a playlist for at most one target duration`(headers: [String: String], rules: [String]) {
        let found = AnswerAge.breaches(headers, target: 4, mayBlock: false)
        #expect(found.map(\.rule.id) == rules)
    }

    @Test func `the response to a blocking reload may be cached`() {
        #expect(AnswerAge.breaches(["cache-control": "max-age=24"], target: 4, mayBlock: true).isEmpty)
    }
}
