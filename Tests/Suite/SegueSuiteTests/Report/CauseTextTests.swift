import Foundation
import SegueBase
import SegueComparison
import SegueData
import SegueTestSupport
import Testing

@testable import SegueSuite

@Suite struct `Causes in the terminal` {
    private func result(_ file: String, _ network: String, _ verdict: Verdict, _ message: Message) -> CaseResult {
        let name = CaseName(file: file, scenario: "s", network: network, platform: "p", app: "a", seed: 1)
        return CaseResult(name: name, verdict: verdict, findings: [Finding(rule: "stalls", message: message)])
    }

    private var causes: FindingCauses {
        var causes = FindingCauses()
        causes.add(result("one.mp4", "3g", .fail, "stalled at \(12) s"))
        causes.add(result("two.mp4", "edge", .fail, "stalled at \(37) s"))
        causes.add(result("two.mp4", "wifi", .known, "has no sound"))
        causes.add(CaseResult(name: result("three", "wifi", .pass, "").name, verdict: .pass, findings: []))
        return causes
    }

    private func text(_ look: ProgressText.Look = ProgressText.Look(), command: String? = "segue regress one.mp4")
        -> String
    {
        var text = ""
        CauseText.write(causes, look: look, command: { _ in command }, to: { text += $0 })
        return text
    }

    @Test func `cases with one cause are listed once, with an example and its command`() {
        let lines = text().split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        #expect(lines[1] == "causes")
        #expect(lines[2] == "  fail  stalls: stalled at 12…37 s")
        #expect(lines[3].hasPrefix("    2 cases: one.mp4, two.mp4 · 3g, edge"))
        #expect(lines[4] == "    e.g. one.mp4  s 3g p a")
        #expect(lines[5] == "    segue regress one.mp4")
        #expect(lines[6] == "  known  stalls: has no sound")
        #expect(!text(command: nil).contains("segue"))
    }

    @Test(arguments: [10, 30, 60]) func `lines are cut to the terminal, except commands`(columns: Int) {
        for line in text(ProgressText.Look(columns: columns)).split(separator: "\n") where !line.contains("segue") {
            #expect(line.count <= columns, "\(line)")
        }
    }

    @Test func `colors are used only on terminals that show them`() {
        #expect(text(ProgressText.Look(isColoured: true)).contains("\u{1B}[31mfail\u{1B}[0m"))
        #expect(!text().contains("\u{1B}"))
    }

    @Test(arguments: [
        ("crash", Verdict.fail, "worker process ended"), ("no-server", .broken, "not run (no-server)"),
        ("unopened", .fail, "nothing was played (unopened)"), ("anything", .fail, "log of the case was not stored"),
        ("anything", .broken, "not run"), ("needs", .skip, "nothing was played (needs)"),
    ])
    func `a case without a timeline has the reason`(rule: String, verdict: Verdict, words: String) {
        let name = result("a", "n", .fail, "").name
        let result = CaseResult(name: name, verdict: verdict, findings: [Finding(rule: rule, message: "m")])
        #expect(result.whyNoPicture.contains(words))
    }

    @Test func `no findings print nothing`() {
        var told = ""
        CauseText.write(FindingCauses(), command: { _ in nil }, to: { told += $0 })
        #expect(told.isEmpty)
    }

    @Test func `of many causes the first are listed, with their number`() {
        var causes = FindingCauses()
        let rules = (0..<40).map { "rule-" + String(repeating: "x", count: $0 + 1) }
        for rule in rules {
            let name = CaseName(file: "f", scenario: "s", network: "n", platform: "p", app: "a", seed: 1)
            causes.add(CaseResult(name: name, verdict: .fail, findings: [Finding(rule: rule, message: "m")]))
        }
        var told = ""
        CauseText.write(causes, command: { _ in nil }, to: { told += $0 })
        #expect(told.contains("… and 28 causes more"))
    }

    @Test func `a case's command names its file and data, in words that a shell takes`() throws {
        let folder = try TestFolder()
        let file = try folder.write([1], to: "it's a film.mp4")
        let root = Checkout.root
        let harness = HarnessFolder(path: root.appendingPathComponent("Harness").path)
        let suite = try Suite(
            SuiteSources([file]),
            SuiteChoices(scenarios: ["play-through"], networks: ["3g"], platforms: ["ios-4.3"], seed: 7),
            harness: harness
        )
        let command = ReplayCommand(suite, options: ["--device", "iphone"])
        let name = CaseName(
            file: "it's a film.mp4",
            scenario: "play-through",
            network: "3g",
            platform: "ios-4.3",
            app: "switch-when-ready",
            seed: 7
        )
        let words = command.words(of: name)
        let quoted = "'" + file.replacing("'", with: "'\\''") + "'"
        #expect(
            words == "segue regress \(quoted) --device iphone --scenario play-through --network 3g --platform ios-4.3"
                + " --app switch-when-ready --seed 7"
        )
    }
}
