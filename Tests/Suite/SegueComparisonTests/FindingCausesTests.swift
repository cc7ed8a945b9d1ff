import Foundation
import SegueBase
import SegueComparison
import Testing

@Suite struct `The causes of a run` {

    static func name(_ file: String, _ network: String = "wifi") -> CaseName {
        CaseName(file: file, scenario: "s", network: network, platform: "p", app: "x", seed: 1)
    }

    static func found(_ messages: Message..., rule: String = "r", issue: String? = nil)
        -> [(finding: RecordedCase.Finding, issue: String?)]
    {
        messages.map { (RecordedCase.Finding(rule: rule, message: $0), issue) }
    }

    @Test func `findings of one rule and one shape have one cause`() {
        func shape(_ rule: String, _ message: Message) -> String {
            RecordedCase.Finding(rule: rule, message: message).shape
        }
        #expect(shape("r", "\(0.08) s late") == shape("r", "\(1.2) s late"))
        #expect(shape("r", "\(0.08) s late") != shape("q", "\(0.08) s late"))
        #expect(shape("r", "\(0.08) s late") != shape("r", "\(0.08) s early"))
    }

    @Test func `findings of an earlier version have one cause if their texts are equal`() throws {
        func read(_ text: String, parts: String = "") throws -> RecordedCase.Finding {
            let json = Data(#"{"rule":"r","message":"\#(text)"\#(parts)}"#.utf8)
            return try JSONDecoder().decode(RecordedCase.Finding.self, from: json)
        }
        #expect(try read("late by 3 s").shape == "r: late by 3 s")
        #expect(try read("late by 3 s").shape != read("late by 4 s").shape)
        let parts = #","parts":["late by ",{"number":3,"text":"3"}," s"]"#
        #expect(try read("late by 3 s", parts: parts).shape == "r: late by # s")
        // The text was changed without its parts.
        #expect(try read("late by 4 s", parts: parts).message.text == "late by 4 s")
    }

    @Test func `findings keep their shape in JSON`() throws {
        let message: Message = "\(1, of: "frame") at \(2.5, places: 3) s of \(value: "http://a/1.ts") is \("blank")"
        let json = try JSONEncoder().encode(RecordedCase.Finding(rule: "r", message: message))
        let read = try JSONDecoder().decode(RecordedCase.Finding.self, from: json)
        #expect(read.message == message && read.shape == "r: # frame at # s of *.ts is blank")
    }

    @Test func `a cause has its number of cases, titles, and networks, and the range of its figures`() {
        var causes = FindingCauses()
        for (file, network, seconds) in [
            ("a", "3g", 0.5), ("a", "edge", 0.08), ("b", "3g", 1.25),
        ] {
            let message: Message = "audio \(seconds) s late at segment \(7)"
            #expect(causes.add(Self.name(file, network), .fail, findings: Self.found(message)) == 0)
        }
        let cause = causes.causes[0]
        #expect(cause.message == "audio 0.08…1.25 s late at segment 7")
        #expect(cause.cases == 3 && cause.titles.names == ["a", "b"] && cause.titles.counts == [2, 1])
        #expect(cause.networks.names == ["3g", "edge"] && cause.example == Self.name("a", "3g"))
        #expect(cause.reach == "3 cases: a, b · 3g, edge · p · s · x")
    }

    @Test func `one address is shown as it is, several by their common part`() {
        var causes = FindingCauses()
        causes.add(Self.name("a"), .fail, findings: Self.found("no answer from \(value: "http://a/1.ts")"))
        #expect(causes.causes[0].message == "no answer from http://a/1.ts")
        causes.add(Self.name("a"), .fail, findings: Self.found("no answer from \(value: "http://a/2.ts")"))
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
        func add(_ verdict: Verdict, _ message: Message, _ count: Int) {
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
