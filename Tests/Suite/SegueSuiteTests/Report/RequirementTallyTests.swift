import SegueBase
import SegueComparison
import SegueConformance
import Testing

@testable import SegueSuite

@Suite struct `Requirements in a report` {
    private static func finding(_ rule: String, in profile: Profile = .rfc) throws -> Finding {
        let known = try #require(ViolatedRequirement.rules[rule])
        var finding = Finding(rule: rule, message: "it is so")
        finding.requirement = ViolatedRequirement(of: known, in: profile)
        return finding
    }

    private static func result(_ file: String, _ findings: [Finding]) -> CaseResult {
        let name = CaseName(file: file, scenario: "s", network: "n", platform: "p", app: "a", seed: 1)
        return CaseResult(name: name, verdict: .pass, findings: findings)
    }

    @Test func `SHOULD findings are listed once for all titles, and Apple's are counted`() throws {
        let findings = [
            try Self.finding("hls.version-unneeded"), try Self.finding("hls.average-bandwidth"),
            try Self.finding("hls.highest-rates"),
        ]
        var tally = RequirementTally()
        for file in ["a", "a", "b"] { tally.add(Self.result(file, findings)) }
        #expect(
            tally.lines == [
                "should fix, not failures:",
                "  hls.version-unneeded (R6.2.1, B6.2.1): it is so [a and 1 more]",
                "only in Apple's authoring specification, not counted: 2 must and 2 should fix in 2 titles; --profile apple counts them",
            ]
        )
        // The table shows only what fails.
        #expect(SuiteTable.row(Self.result("a", findings)).last == "")
    }

    @Test func `a violation is no remark, and is not repeated below the table`() throws {
        let finding = try Self.finding("hls.ts-one-program")
        #expect(!finding.isRemark && finding.severity == .must)
        var tally = RequirementTally()
        tally.add(Self.result("a", [finding]))
        #expect(tally.lines.isEmpty)
        #expect(SuiteTable.row(Self.result("a", [finding])).last == "hls.ts-one-program (R3.2, B3.1.1): it is so")
    }

    @Test func `severities follow the profile`() throws {
        #expect(try Self.finding("hls.average-bandwidth").severity == .advice)
        #expect(try Self.finding("hls.average-bandwidth", in: .apple).severity == .must)
        #expect(try Self.finding("hls.version-unneeded").severity == .should)
        // Advice is no requirement.
        let rule = try #require(ViolatedRequirement.rules["hls.entity-tag"])
        #expect(ViolatedRequirement(of: rule, in: .all) == nil)
    }
}
