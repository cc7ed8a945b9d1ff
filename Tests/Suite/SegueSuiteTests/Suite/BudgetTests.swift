import SegueBase
import SegueComparison
import SegueData
import SegueEvents
import SegueSuite
import SegueTestSupport
import Testing

@Suite struct `Budgets` {
    private static let name = CaseName(file: "f", scenario: "s", network: "3g", platform: "p", app: "a", seed: 1)

    private static var metrics: CaseMetrics {
        var metrics = CaseMetrics()
        (metrics.startupSeconds, metrics.stalls, metrics.stallSeconds, metrics.heardSeconds) = (3, 1, 5, 15)
        return metrics
    }

    private static func findings(_ rule: String, tags: [String] = []) throws -> [String] {
        let folder = try TestFolder()
        let text = "rules: [{ id: r, about: x, \(rule) }]"
        let rules = try LogRule.rules(fileAt: folder.write(Array(text.utf8), to: "rules.yaml"))
        return RuleBook(rules: rules, knownIssues: []).findings(
            for: name,
            log: .init(),
            background: nil,
            metrics: metrics,
            tags: tags
        ).map(\.message.text)
    }

    @Test(arguments: [
        ("budget: { startup: 2 }", "startup is 3 s, must be <= 2 s"), ("budget: { startup: 3 }", nil),
        ("budget: { startup: \"> 4\", stalls: 0 }", "startup is 3 s, must be > 4 s; stalls is 1, must be <= 0"),
        ("budget: { stall-share: 0.2 }", "stall-share is 0.25, must be <= 0.2"), ("budget: { switch-gap: 0 }", nil),
        ("budget: { startup: 2 }, networks: [wifi]", nil),
        ("budget: { startup: 2 }, networks: [3g]", "startup is 3 s, must be <= 2 s"),
    ])
    func `a metric beyond its limit is a finding, one that does not apply is not`(rule: String, says: String?) throws {
        #expect(try Self.findings(rule) == [says].compactMap(\.self))
    }

    @Test func `a rule for tags holds for titles that have one of them`() throws {
        let rule = "budget: { startup: 2 }, tags: [film, song]"
        #expect(try Self.findings(rule).isEmpty)
        #expect(try Self.findings(rule, tags: ["nightly"]).isEmpty)
        #expect(try Self.findings(rule, tags: ["nightly", "song"]).count == 1)
    }

    @Test(arguments: [
        ("budget: {}", "is empty"), ("budget: { startup: soon }", "startup"),
        ("budget: { stals: 1 }", "did you mean stalls?"),
        ("budget: { startup: 1 }, tags: []", "is empty"),
        ("budget: { startup: 1 }, forbid: { level: error }", "cannot be combined with"),
    ])
    func `an impossible budget is an error`(rule: String, says: String) throws {
        let error = try #require(throws: HarnessError.self) { try Self.findings(rule) }
        #expect(error.description.contains(says), "\(error)")
    }
}
