import Events
import Harness
import Regression
import TestSupport
import Testing
import Timeline

@Suite struct `Rules` {
    private let name = CaseName(
        file: "a",
        scenario: "play-through",
        network: "wifi",
        platform: "desktop",
        app: "a",
        seed: 1
    )

    @Test func `the first event that is forbidden is the finding`() throws {
        let rules = try rules("- { id: quiet, about: x, forbid: { level: error } }")
        let log = log([
            (1, .itemLoading(item: "a")), (2, .itemFailed(item: "a", domain: "d", code: 1, message: "first")),
            (3, .itemFailed(item: "b", domain: "d", code: 1, message: "second")),
        ])
        let finding = try #require(rules[0].finding(in: log, background: nil))
        #expect(finding.at == 2)
        #expect(finding.message.contains("first"))
        #expect(rules[0].finding(in: self.log([(1, .itemLoading(item: "a"))]), background: nil) == nil)
    }

    @Test func `an event that is required may not be missing`() throws {
        let rules = try rules("- { id: ends, about: x, require: { kind: item.playedToEnd, fields: { item: a } } }")
        #expect(rules[0].finding(in: log([(1, .itemPlayedToEnd(item: "a"))]), background: nil) == nil)
        #expect(rules[0].finding(in: log([(1, .itemPlayedToEnd(item: "b"))]), background: nil) != nil)
    }

    @Test func `the sound in the background is one of those allowed`() throws {
        let rules = try rules("- { id: sound, about: x, background: [continues] }")
        #expect(rules[0].finding(in: EventLog(), background: "continues") == nil)
        #expect(rules[0].finding(in: EventLog(), background: nil) == nil)
        #expect(rules[0].finding(in: EventLog(), background: "paused") != nil)
    }

    @Test func `a rule holds where it says`() throws {
        let rules = try rules(
            "- { id: a, about: x, forbid: { level: error }, networks: [lan], scenarios: [play-through] }"
        )
        #expect(!rules[0].holds(for: name))
        var other = name
        other.network = "lan"
        #expect(rules[0].holds(for: other))
    }

    @Test func `a rule that wants headroom holds where the network has it`() throws {
        let rules = try rules("- { id: a, about: x, forbid: { level: error }, headroom: 2 }")
        #expect(rules[0].holds(for: name, headroom: 2))
        #expect(!rules[0].holds(for: name, headroom: 1.9))
    }

    @Test func `findings that are all known make the verdict known`() throws {
        let folder = try TestFolder()
        let path = try folder.write(
            Array("name: a\nabout: b\nrule: refused\nmessage: needs transcoding\n".utf8),
            to: "issue.yaml"
        )
        let book = RuleBook(rules: [], knownIssues: [try KnownIssue(fileAt: path)])
        let known = Finding(rule: "refused", message: "video needs transcoding")
        #expect(book.verdict(on: []) == .pass)
        #expect(book.verdict(on: [known]) == .known)
        #expect(book.verdict(on: [known, Finding(rule: "refused", message: "other")]) == .fail)
    }

    @Test(arguments: [
        "- { id: a, about: x }", "- { about: x, forbid: { level: error } }",
        "- { id: a, about: x, forbid: { level: eror } }",
    ])
    func `a broken rule is refused`(text: String) { #expect(throws: HarnessError.self) { try rules(text) } }

    private func rules(_ text: String) throws -> [LogRule] {
        let folder = try TestFolder()
        return try LogRule.rules(fileAt: try folder.write(Array("rules:\n  \(text)\n".utf8), to: "rules.yaml"))
    }

    private func log(_ events: [(Double, EventKind)]) -> EventLog {
        var log = EventLog()
        for (at, kind) in events { log.append(kind, at: Instant(seconds: at)) }
        return log
    }
}
