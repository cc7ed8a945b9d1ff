import Foundation
import SegueBase
import SegueComparison
import SegueData
import SegueSuite
import SegueTestSupport
import Testing

@Suite struct `Known issues` {
    private let name = CaseName(
        file: "films/old/a.mp4",
        scenario: "play-through",
        network: "3g-tram",
        platform: "desktop",
        app: "a",
        seed: 1
    )
    private let finding = Finding(rule: "late", message: "started after 12.5 s", at: 12.5)

    private func issue(_ change: (inout KnownIssue) -> Void = { _ in }) -> KnownIssue {
        var issue = KnownIssue(name: "tram", about: "x", rule: "late")
        change(&issue)
        return issue
    }

    private func book(_ issues: KnownIssue..., today: String? = "2026-11-22") -> RuleBook {
        RuleBook(rules: [], knownIssues: issues, today: today.flatMap(CalendarDay.init))
    }

    @Test func `known findings give the verdict known, with their issues`() {
        let book = book(issue { $0.message = "after 12" })
        #expect(book.judgement(of: [], in: name).verdict == .pass)
        let known = book.judgement(of: [finding], in: name)
        #expect(known.verdict == .known && known.findings.map(\.known) == ["tram"])
        let other = book.judgement(of: [finding, Finding(rule: "late", message: "after 9 s")], in: name)
        #expect(other.verdict == .fail && other.findings.map(\.known) == ["tram", nil])
        let remark = Finding(rule: "unserved", message: "m")
        #expect(book.judgement(of: [remark], in: name).verdict == .pass)
        #expect(book.judgement(of: [remark, finding], in: name).verdict == .known)
    }

    static let scopes: [(String, String, Bool)] = [
        ("titles", "films/*", true), ("titles", "*.mp4", true), ("titles", "films/old/?.mp4", true),
        ("titles", "films", false), ("titles", "a.mp4", false), ("tags", "live", true), ("tags", "news", false),
        ("networks", "3g-tram", true), ("networks", "3g", false), ("platforms", "desktop", true),
        ("platforms", "ios-15", false), ("apps", "a", true), ("apps", "b", false),
        ("scenarios", "play-through", true), ("scenarios", "x", false),
    ]

    @Test(arguments: scopes)
    func `an issue covers only its scope`(key: String, value: String, isCovered: Bool) throws {
        let issue = try read("name: tram\nabout: x\nrule: late\n\(key): [none, '\(value)']\n")[0]
        #expect(issue.covers(finding, of: name, tags: ["live"]) == isCovered)
        #expect(!issue.covers(Finding(rule: "other", message: ""), of: name, tags: ["live"]))
    }

    @Test(arguments: [("2026-11-21", Verdict.fail), ("2026-11-22", .known), ("2026-11-23", .known)])
    func `an issue fails after its last day with a finding`(expires: String, verdict: Verdict) {
        let issue = issue { issue in
            (issue.expires, issue.owner, issue.link) = (CalendarDay(expires), "packaging", "https://t/1")
        }
        let judgement = book(issue).judgement(of: [finding, finding], in: name)
        #expect(judgement.verdict == verdict)
        #expect(book(issue, today: nil).judgement(of: [finding], in: name).verdict == .known)
        guard verdict == .fail else { return }
        #expect(judgement.findings.map(\.rule) == ["known-issue-expired", "late", "late"])
        #expect(
            judgement.findings.first?.message.text
                == "the known issue tram expired on 2026-11-21; owner packaging, https://t/1"
        )
        // Another issue that covers the same finding is enough.
        let other = self.issue { $0.name = "other" }
        #expect(book(issue, other).judgement(of: [finding], in: name).findings.map(\.known) == ["other"])
    }

    @Test func `an unused issue is reported if its cases were run`() {
        let used = issue()
        let unused = issue { ($0.name, $0.message, $0.owner, $0.file) = ("mended", "no such", "me", "i.yaml") }
        let elsewhere = issue { ($0.name, $0.scope.networks) = ("elsewhere", ["wifi"]) }
        let standing = issue { ($0.name, $0.message, $0.isStanding) = ("standing", "no such", true) }
        var use = KnownIssueUse(of: [used, unused, elsewhere, standing])
        use.add(CaseResult(name: name, verdict: .skip, findings: []))
        #expect(use.unused.isEmpty)
        use.add(CaseResult(name: name, verdict: .known, findings: [finding]))
        #expect(use.unused.map(\.name) == ["mended"])
        #expect(
            use.unused[0].farewell
                == "known issue mended (owner me) covers no findings any more; remove it from i.yaml"
        )
    }

    @Test func `a file has one issue or a list, with all keys`() throws {
        let text = """
            known-issues:
              - { name: a, about: x, rule: late, owner: me, link: "https://t/1", since: 2026-01-02, expires: 2026-02-03 }
              - { name: b, about: x, rule: late, standing: true, titles: [a, b] }
            """
        let issues = try read(text)
        #expect(issues.map(\.name) == ["a", "b"])
        #expect(issues[0].since?.description == "2026-01-02" && issues[0].expires?.description == "2026-02-03")
        #expect(issues[0].contact == "owner me, https://t/1" && issues[1].isStanding)
    }

    static let mistakes: [(String, Int?, String)] = [
        ("about: x\nrule: late", 1, "name: is missing"), ("nam: a\nabout: x\nrule: late", 1, "did you mean name?"),
        ("name: a\nrule: late", 1, "about: is missing"), ("name: a\nabout: x", 1, "rule: is missing"),
        ("name: a\nabout: x\nrule: lat", 3, "did you mean late?"),
        ("name: a\nabout: x\nrule: known-issue-expired", 3, "cannot be excused"),
        ("name: a\nabout: x\nrule: late\nexpires: 31.12.2026", 4, "must be a day such as 2026-11-22"),
        ("name: a\nabout: x\nrule: late\nexpires: 2026-02-30", 4, "must be a day"),
        ("name: a\nabout: x\nrule: late\nexpires: [2026-01-01]", 4, "must be a text"),
        ("name: a\nabout: x\nrule: late\nsince: 2026-05-01\nexpires: 2026-04-01", 5, "before since"),
        ("name: a\nabout: x\nrule: late\nexpire: 2026-04-01", 4, "did you mean expires?"),
        ("name: a\nabout: x\nrule: late\nnetworks: 3g", 4, "must be a list"),
        ("name: a\nabout: x\nrule: late\nnetworks: []", 4, "is empty and matches nothing"),
        ("name: a\nabout: x\nrule: late\nnetworks: [wfi]", 4, "did you mean wifi?"),
        ("name: a\nabout: x\nrule: late\ntitles: ['']", 4, "an empty entry"),
        ("name: a\nabout: x\nrule: late\nlink: tracker 12", 4, "must be an address"),
        ("name: a\nabout: x\nrule: late\nowner:", 4, "must be a text"),
        ("name: a\nabout: x\nrule: late\nstanding: perhaps", 4, "must be true or false"),
        ("name: a\nabout: x\nrule: late\nstanding: true\nexpires: 2026-04-01", 4, "cannot be combined with expires"),
        ("name: a\nname: b\nabout: x\nrule: late", nil, "name"), ("known-issues: []", 1, "has no entries"),
        ("known-issues: [a]", 1, "must be a mapping"), ("known-issues: []\nname: a", 1, "has no entries"),
        ("known-issues: [{ name: a, about: x, rule: late }]\nname: a", 2, "name is unknown"),
        ("- name: a", 1, "must be a mapping"), ("", nil, "is empty"), ("name: [", 2, "is not YAML"),
    ]

    @Test(arguments: mistakes)
    func `an error is one line with its place`(text: String, line: Int?, words: String) throws {
        let error = try #require(throws: HarnessError.self) { try read(text) }
        #expect(error.description.contains(words), "\(error)")
        #expect(!error.description.contains("\n") && (line == nil || error.line == line), "\(error)")
    }

    @Test func `two issues with one name are refused, in any files`() throws {
        let folder = try TestFolder()
        try FileManager.default.createDirectory(atPath: folder.file("known-issues"), withIntermediateDirectories: true)
        let one = "name: a\nabout: x\nrule: refused\n"
        _ = try folder.write(Array(one.utf8), to: "known-issues/a.yaml")
        var given = DataPaths(harness: folder.path)
        given.knownIssues = [try folder.write(Array(one.utf8), to: "own.yaml")]
        let data = HarnessFolder(path: folder.path)
        let error = try #require(throws: HarnessError.self) { try RuleBook(folder: data, given: given) }
        #expect(
            error.file == folder.file("own.yaml") && error.message.contains("also in ")
                && error.message.contains("known-issues/a.yaml"),
            "\(error)"
        )
        given.knownIssues = [folder.file("none.yaml")]
        let none = try #require(throws: HarnessError.self) { try RuleBook(folder: data, given: given) }
        #expect(none.description.contains("there is no such known issue file"), "\(none)")
    }

    private func read(_ text: String) throws -> [KnownIssue] {
        let folder = try TestFolder()
        let network = folder.file("networks")
        try FileManager.default.createDirectory(atPath: network, withIntermediateDirectories: true)
        _ = try folder.write([], to: "networks/wifi.yaml")
        let path = try folder.write(Array(text.utf8), to: "issues.yaml")
        let isScope = Self.scopes.contains { text.contains("\($0.0): [none") }
        let names = isScope ? nil : DataNames(folder: HarnessFolder(path: folder.path))
        return try KnownIssue.issues(fileAt: path, rules: ["late"], names: names)
    }
}
