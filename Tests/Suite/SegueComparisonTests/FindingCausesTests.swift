import SegueComparison
import Testing

@Suite struct `The causes of a run` {

    static func name(_ file: String, _ network: String = "wifi") -> CaseName {
        CaseName(file: file, scenario: "s", network: network, platform: "p", app: "x", seed: 1)
    }

    static func found(_ messages: String..., rule: String = "r", issue: String? = nil)
        -> [(finding: RecordedCase.Finding, issue: String?)]
    {
        messages.map { (RecordedCase.Finding(rule: rule, message: $0), issue) }
    }

    static let alike = [
        ("sound 0.08 s late at segment 7", "sound 1.2 s late at segment 12"),
        ("offset -80 ms", "offset 80 ms"), ("1 frame missing", "12 frames missing"),
        (
            "no answer from http://a.example/film-1/v0/seg12.ts?token=x",
            "no answer from https://b.example:8080/other/9.ts"
        ),
        ("(video/segment-00012.m4s) is cut", "(video/segment-7.m4s) is cut"),
        ("key 3f2a9c0d11 is refused", "key 9bc1d2e3f4 is refused"),
        ("at 0x7f3a10", "at 0x7f3b20"), ("640x480 pixels", "1280x720 pixels"), ("took 1e-05 s", "took 3.5 s"),
        ("item.stalled, item item-2, position 10", "item.stalled, item item-3, position 7.25."),
    ]

    @Test(arguments: alike)
    func `messages that differ only in numbers and names have one shape`(one: String, other: String) {
        let shapes = [one, other].map { FindingShape(rule: "r", message: $0).key.trimmingSuffix(".") }
        #expect(shapes[0] == shapes[1])
    }

    static let apart = [
        ("its film (h264) is not served", "its film (hevc) is not served"), ("h264", "h263"),
        ("http://a/x.m3u8 failed", "http://a/x.ts failed"), ("late", "early"), ("decade of facade", "facade of decade"),
        ("audio 80 ms late", "audio 80 ms late relative to the video"),
    ]

    @Test(arguments: apart)
    func `messages that differ in words have two shapes`(one: String, other: String) {
        let shapes = [one, other].map { FindingShape(rule: "r", message: $0).key }
        #expect(shapes[0] != shapes[1])
        #expect(FindingShape(rule: "q", message: one).key != shapes[0])
    }

    @Test func `the pieces of any message join to the message`() {
        let messages = [
            "", " ", "  a  1.5.2  (b.ts), \"-3\"…", "12", "ends in 12.", "\u{202E}x\u{0}7 é9", "http://", "-", "0x",
        ]
        for message in messages {
            var causes = FindingCauses()
            causes.add(Self.name("f"), .fail, findings: Self.found(message))
            #expect(causes.causes[0].message == message)
        }
    }

    @Test func `a cause has its number of cases, titles, and networks, and the range of its figures`() {
        var causes = FindingCauses()
        for (file, network, message) in [
            ("a", "3g", "sound 0.5 s late at segment 7"), ("a", "edge", "sound 0.08 s late at segment 7"),
            ("b", "3g", "sound 1.25 s late at segment 7"),
        ] {
            #expect(causes.add(Self.name(file, network), .fail, findings: Self.found(message)) == 0)
        }
        let cause = causes.causes[0]
        #expect(cause.message == "sound 0.08…1.25 s late at segment 7")
        #expect(cause.cases == 3 && cause.titles.names == ["a", "b"] && cause.titles.counts == [2, 1])
        #expect(cause.networks.names == ["3g", "edge"] && cause.example == Self.name("a", "3g"))
        #expect(cause.reach == "3 cases: a, b · 3g, edge · p · s · x")
    }

    @Test func `one address is shown as it is, several by their common part`() {
        var causes = FindingCauses()
        causes.add(Self.name("a"), .fail, findings: Self.found("no answer from http://a/1.ts"))
        #expect(causes.causes[0].message == "no answer from http://a/1.ts")
        causes.add(Self.name("a"), .fail, findings: Self.found("no answer from http://a/2.ts"))
        #expect(causes.causes[0].message == "no answer from *.ts")
    }

    @Test func `a case belongs to the first finding that no known issue covers, and names the others' rules`() {
        var causes = FindingCauses()
        let findings =
            Self.found("known before", issue: "issue") + Self.found("the cause")
            + Self.found("stalls", "stalls again", rule: "stall")
        causes.add(Self.name("a"), .fail, findings: findings)
        #expect(causes.causes.map(\.message) == ["the cause"])
        #expect(causes.causes[0].also.names == ["r", "stall"] && causes.causes[0].also.counts == [1, 1])
        causes.add(Self.name("b"), .known, findings: Self.found("the cause", issue: "issue"))
        #expect(causes.causes.map(\.verdict) == [.fail, .known] && causes.causes[1].issues.names == ["issue"])
        #expect(causes.add(Self.name("c"), .pass, findings: []) == nil)
    }

    @Test func `failures come before known issues, the most frequent first`() {
        var causes = FindingCauses()
        func add(_ verdict: Verdict, _ message: String, _ count: Int) {
            for _ in 0..<count { causes.add(Self.name("a"), verdict, findings: Self.found(message)) }
        }
        add(.pass, "remark", 9)
        add(.skip, "skipped", 8)
        add(.known, "known", 7)
        add(.broken, "broken", 2)
        add(.fail, "rare", 1)
        add(.fail, "as rare", 1)
        add(.fail, "often", 3)
        #expect(causes.ordered.map(\.message) == ["often", "rare", "as rare", "broken", "known", "skipped", "remark"])
    }

    @Test func `any number of unrelated messages uses bounded memory`() {
        var causes = FindingCauses()
        let letters = Array("abcdefghijklmnop")
        for number in 0..<10_000 {
            let word = String((0..<8).map { letters[number >> (2 * $0) & 15] })
            causes.add(Self.name("a"), .fail, findings: Self.found("the word is \(word) of \(number)"))
        }
        #expect(causes.causes.count <= 201)
        #expect(causes.causes.map(\.cases).reduce(0, +) == 10_000)
        #expect(causes.causes.last?.message == "other messages")
    }
}

extension String {
    fileprivate func trimmingSuffix(_ suffix: String) -> String {
        hasSuffix(suffix) ? String(dropLast(suffix.count)) : self
    }
}
