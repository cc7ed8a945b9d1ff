import Foundation
import SegueBase
import SegueComparison
import SegueData
import SegueEvents
import SegueSuite
import SegueTestSupport
import Testing

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
        #expect(finding.message.text.contains("first"))
        #expect(rules[0].finding(in: self.log([(1, .itemLoading(item: "a"))]), background: nil) == nil)
    }

    @Test func `an event that is required may not be missing`() throws {
        let rules = try rules("- { id: ends, about: x, require: { kind: item.playedToEnd, fields: { item: a } } }")
        #expect(rules[0].finding(in: log([(1, .itemPlayedToEnd(item: "a"))]), background: nil) == nil)
        #expect(rules[0].finding(in: log([(1, .itemPlayedToEnd(item: "b"))]), background: nil) != nil)
    }

    @Test func `audio in the background must be in an allowed state`() throws {
        let rules = try rules("- { id: sound, about: x, background: [continues] }")
        #expect(rules[0].finding(in: EventLog(), background: "continues") == nil)
        #expect(rules[0].finding(in: EventLog(), background: nil) == nil)
        // A platform without background execution ends the app, which is no failure; a crash is one.
        let left = log([(1, .platformLifecycle(phase: "terminated"))])
        #expect(rules[0].finding(in: left, background: "paused") == nil)
        let crashed = log([
            (1, .appTerminated(cause: "crash", reason: "r")), (1, .platformLifecycle(phase: "terminated")),
        ])
        #expect(rules[0].finding(in: crashed, background: "paused") != nil)
        let paused = try #require(rules[0].finding(in: EventLog(), background: "paused"))
        #expect(paused.message.text == "the audio in the background is paused, expected continues")
        let decisions = [
            (1.0, EventKind.appDecided(policy: "careful", decision: "switch", reason: "a")),
            (2.0, EventKind.appDecided(policy: "careful", decision: "nothing", reason: "there is no sound alone")),
        ]
        let helpless = try #require(rules[0].finding(in: log(decisions), background: "paused"))
        #expect(helpless.message.text == paused.message.text + "; careful did nothing: there is no sound alone")
    }

    @Test func `a rule applies within its scope`() throws {
        let rules = try rules(
            "- { id: a, about: x, forbid: { level: error }, networks: [lan], scenarios: [play-through] }"
        )
        #expect(!rules[0].holds(for: name))
        var other = name
        other.network = "lan"
        #expect(rules[0].holds(for: other))
    }

    @Test func `a rule with headroom applies only to fast networks`() throws {
        let rules = try rules("- { id: a, about: x, forbid: { level: error }, headroom: 2 }")
        #expect(rules[0].holds(for: name, headroom: 2))
        #expect(!rules[0].holds(for: name, headroom: 1.9))
    }

    @Test(arguments: [
        ("- { id: a, about: x }", "forbid: is missing"), ("- { about: x, forbid: { level: error } }", "id: is missing"),
        ("- { id: a, about: x, forbid: { level: eror } }", "forbid.level: eror is unknown; did you mean error?"),
        ("- { id: a, about: x, forbid: { kind: item.staled } }", "did you mean item.stalled?"),
        ("- { id: a, about: x, require: { kind: item.playedtoend } }", "did you mean item.playedToEnd?"),
        ("- { id: a, about: x, forbid: { kind: item.stalled, fields: { positon: 1 } } }", "did you mean position?"),
        ("- { id: a, about: x, forbid: { kind: item.stalled, level: error } }", "but such events have"),
        ("- { id: a, about: x, forbid: { source: app, level: debug, fields: { url: a } } }", "url is unknown"),
        ("- { id: a, about: x, forbid: { source: plyer } }", "did you mean player?"),
        ("- { id: a, about: x, forbid: { source: origin, level: error } }", "no event matches"),
        ("- { id: a, about: x, forbid: { fields: { hasVideo: true, seed: 1 } } }", "never occur in the same event"),
        ("- { id: a, about: x, forbid: { kind: seek.ended, isFinished: maybe } }", "must be true or false"),
        ("- { id: a, about: x, forbid: { kind: item.stalled, position: soon } }", "soon"),
        ("- { id: a, about: x, require: { kind: player.timeControl, status: wating } }", "did you mean waiting?"),
        ("- { id: a, about: x, forbid: { kind: platform.lifecycle, phase: background } }", "background is unknown"),
        ("- { id: a, about: x, forbid: {} }", "does not restrict the event"),
        ("- { id: a, about: x, forbid: { level: error }, require: { level: error } }", "write two rules"),
        ("- { id: a, about: x, background: [contiunes] }", "did you mean continues?"),
        ("- { id: a, about: x, forbid: { level: error }, networks: [] }", "is empty and matches nothing"),
        ("- { id: a, about: x, forbid: { level: error }, titles: [] }", "titles: is empty"),
        ("- { id: a, about: x, forbid: { level: error }, tag: [a] }", "did you mean tags?"),
        ("- { id: a, about: x, forbid: { level: error }, tags: live }", "must be a list of texts"),
        ("- { id: a, about: x, forbid: { level: error }, headroom: twice }", "must be a number"),
        ("- { id: [a], about: x, forbid: { level: error } }", "id: must be a text"),
    ])
    func `a rule that cannot fire is refused, with its line`(text: String, words: String) throws {
        let error = try #require(throws: HarnessError.self) { try rules(text) }
        #expect(error.description.contains(words), "\(error)")
        #expect(error.line == 2)
    }

    @Test(arguments: [
        (
            "rules:\n- { id: a, about: x, background: [continues] }\n- { id: a, about: x, background: [paused] }", 3,
            "twice"
        ),
        ("rules: []", 1, "has no entries"), ("rule: []", 1, "did you mean rules?"), ("rules: a", 1, "must be a list"),
        ("rules: [a]", 1, "must be a mapping"), ("- a", 1, "must be a mapping of keys"), ("", nil, "is empty"),
        ("rules: [", 2, "is not YAML"),
        ("rules: [{ id: a, about: x, background: [paused] }]\nnote: x", 2, "note is unknown"),
    ])
    func `an invalid rule file is refused with its line`(text: String, line: Int?, words: String) throws {
        let folder = try TestFolder()
        let path = try folder.write(Array(text.utf8), to: "rules.yaml")
        let error = try #require(throws: HarnessError.self) { try LogRule.rules(fileAt: path) }
        #expect(error.description.contains(words) && error.line == line, "\(error)")
        #expect(!error.description.contains("\n"))
    }

    @Test func `a finding about the background names the declaration that stops the audio`() throws {
        let rule = try rules("- { id: a, about: x, background: [continues] }")[0]
        let events = log([
            (10, .appMisdeclared(policy: "app", key: "background-modes", problem: "a problem", fix: "its fix")),
            (10, .appDecided(policy: "app", decision: "nothing", reason: "a reason")),
        ])
        let finding = try #require(rule.finding(in: events, background: "paused"))
        #expect(finding.message.text.hasSuffix("expected continues; a problem: its fix; app did nothing: a reason"))
    }

    @Test func `a rule holds for the titles and tags that it names`() throws {
        let rules = try rules(
            "- { id: a, about: x, forbid: { level: error }, titles: ['films/*'], tags: [live, sport] }"
        )
        var film = name
        film.file = "films/old/a.mp4"
        #expect(rules[0].holds(for: film, tags: ["news", "sport"]))
        #expect(!rules[0].holds(for: film, tags: ["news"]))
        #expect(!rules[0].holds(for: film))
        #expect(!rules[0].holds(for: name, tags: ["sport"]))
    }

    @Test func `numbers are compared, beside the kind or under fields`() throws {
        for pattern in ["fields: { position: '> 2' }", "position: '> 2'"] {
            let rules = try rules("- { id: late, about: x, forbid: { kind: item.stalled, \(pattern) } }")
            #expect(rules[0].finding(in: log([(1, .itemStalled(item: "a", position: 1))]), background: nil) == nil)
            #expect(rules[0].finding(in: log([(1, .itemStalled(item: "a", position: 3))]), background: nil) != nil)
        }
    }

    @Test func `a field of several kinds matches in all of them`() throws {
        let rules = try rules("- { id: a, about: x, forbid: { source: player, fields: { item: b } } }")
        #expect(rules[0].finding(in: log([(1, .itemLoading(item: "b"))]), background: nil) != nil)
        #expect(rules[0].finding(in: log([(1, .bufferFull(item: "b", isFull: true))]), background: nil) != nil)
        #expect(rules[0].finding(in: log([(1, .itemLoading(item: "a"))]), background: nil) == nil)
    }

    @Test(arguments: [
        ("scenarios", "play-thru", "did you mean play-through?"), ("platforms", "ios", "one of ios-15, ios-4.3?"),
        ("networks", "gprs", "did you mean android-gprs?"), ("apps", "switch", "did you mean switch-when-ready?"),
    ])
    func `a rule for an unknown name is refused`(kind: String, name: String, words: String) throws {
        let harness = try harness()
        let rule = "rules:\n  - id: a\n    about: x\n    forbid: { level: error }\n    \(kind): [\(name)]\n"
        let path = try harness.folder.write(Array(rule.utf8), to: "rules/own.yaml")
        let error = try #require(throws: HarnessError.self) { try RuleBook(folder: harness.data) }
        #expect(error.file == path && error.line == 5 && error.key == "rules[0].\(kind)")
        #expect(error.message.contains(words), "\(error)")
        var given = DataPaths(harness: harness.data.path)
        given.scenarios[name] = ""
        given.platforms[name] = ""
        given.networks[name] = ""
        given.apps[name] = ""
        #expect(try RuleBook(folder: harness.data, given: given).rules.count == 1)
    }

    @Test func `a known issue of an unknown rule is refused`() throws {
        let harness = try harness()
        let rule = "rules: [{ id: quiet, about: x, forbid: { level: error } }]\n"
        _ = try harness.folder.write(Array(rule.utf8), to: "rules/own.yaml")
        func issue(_ rule: String) throws {
            _ = try harness.folder.write(Array("name: a\nabout: b\nrule: \(rule)\n".utf8), to: "known-issues/a.yaml")
        }
        for known in ["quiet", "refused", "content.av-offset"] {
            try issue(known)
            #expect(try RuleBook(folder: harness.data).knownIssues.map(\.rule) == [known])
        }
        try issue("content.av-ofset")
        let error = try #require(throws: HarnessError.self) { try RuleBook(folder: harness.data) }
        #expect(error.line == 3 && error.message.contains("did you mean content.av-offset?"), "\(error)")
    }

    @Test func `named rule files replace those of the folder, and no rule is defined twice`() throws {
        let harness = try harness()
        func write(_ id: String, to name: String) throws -> String {
            let rule = "rules: [{ id: \(id), about: x, forbid: { level: error } }]\n"
            return try harness.folder.write(Array(rule.utf8), to: name)
        }
        _ = try write("quiet", to: "rules/default.yaml")
        var given = DataPaths(harness: harness.data.path)
        given.rules = [try write("own", to: "own.yaml")]
        #expect(try RuleBook(folder: harness.data, given: given).rules.map(\.id) == ["own"])
        given.rules?.append("default")
        #expect(try RuleBook(folder: harness.data, given: given).rules.map(\.id) == ["own", "quiet"])
        given.rules?.append(try write("quiet", to: "other.yaml"))
        let twice = try #require(throws: HarnessError.self) { try RuleBook(folder: harness.data, given: given) }
        #expect(twice.message == "quiet is also defined in another file")
        given.rules = ["defualt"]
        let unknown = try #require(throws: HarnessError.self) { try RuleBook(folder: harness.data, given: given) }
        #expect(unknown.description.contains("did you mean default?"), "\(unknown)")
    }

    /// A data folder with a few names of each kind.
    private func harness() throws -> (folder: TestFolder, data: HarnessFolder) {
        let folder = try TestFolder()
        let names = [
            "rules/", "known-issues/", "scenarios/play-through.yaml", "platforms/ios-4.3.yaml",
            "platforms/ios-15.yaml", "networks/android-gprs.yaml", "networks/wifi.yaml", "apps/switch-when-ready.yaml",
        ]
        for name in names {
            let path = folder.file(name)
            let place = name.hasSuffix("/") ? path : String(path[..<(path.lastIndex(of: "/") ?? path.endIndex)])
            try FileManager.default.createDirectory(atPath: place, withIntermediateDirectories: true)
            if !name.hasSuffix("/") { _ = try folder.write([], to: name) }
        }
        return (folder, HarnessFolder(path: folder.path))
    }

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
