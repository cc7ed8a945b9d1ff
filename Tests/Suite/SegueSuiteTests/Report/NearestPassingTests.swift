import Foundation
import SegueBase
import SegueComparison
import SegueData
import SegueEvents
import SegueHarnessFiles
import SegueNetworkModel
import SeguePlayerModel
import Testing

@testable import SegueSuite

@Suite struct `The nearest passing case` {
    private static let harness = HarnessFolder(path: HarnessData.path)

    private func name(
        network: String = "wifi",
        app: String = "a",
        platform: String = "p",
        scenario: String = "s",
        device: String? = nil
    ) -> CaseName {
        var name = CaseName(file: "f", scenario: scenario, network: network, platform: platform, app: app, seed: 1)
        name.device = device
        return name
    }

    private func outcome(
        _ name: CaseName,
        _ verdict: Verdict,
        log: EventLog,
        findings: [Finding] = []
    ) -> CaseOutcome {
        var outcome = CaseOutcome(CaseResult(name: name, verdict: verdict, findings: findings))
        outcome.trace = TransitionTrace(log: log)
        return outcome
    }

    private func log(_ events: [(Double, EventKind)]) -> EventLog {
        var log = EventLog()
        for (at, kind) in events { log.append(kind, at: Instant(seconds: at)) }
        return log
    }

    /// A log in which `play` is called a second after the start, and the first segment arrives.
    private func run(segmentAt: Double, rejectedAt: Double? = nil) -> EventLog {
        var events: [(Double, EventKind)] = [
            (0, .itemLoading(item: "a")), (1, .appDecided(policy: "a", decision: "play", reason: "")),
            (1, .playerCommand(name: "play", item: "a")),
            (
                segmentAt,
                .segmentLoaded(item: "a", stream: "s", number: 0, bytes: 1, start: 0, duration: 1, seconds: 1)
            ),
        ]
        if let rejectedAt { events.append((rejectedAt, .platformRejected(item: "a", reason: "r"))) }
        return log(events.sorted { $0.0 < $1.0 })
    }

    private func rejection(at time: Double) -> Finding {
        Finding(
            rule: "unexpected-error",
            message: "m",
            at: time,
            evidence: .init(at: .init(event: "platform.rejected"))
        )
    }

    @Test(arguments: [
        (["network"], 0), (["app"], 1), (["device"], 2), (["platform"], 3), (["network", "app"], 4),
    ])
    func `fewer differences are nearer, and a network is nearer than a release`(differences: [String], first: Int) {
        let passing = [
            name(network: "n"), name(app: "b"), name(device: "d"), name(platform: "q"), name(network: "n", app: "b"),
        ]
        let log = run(segmentAt: 2)
        let cases = passing[first...].reversed().map { outcome($0, .pass, log: log) }
        let nearest = NearestPassing(of: outcome(name(), .fail, log: log), among: cases)
        #expect(nearest?.name == passing[first])
        #expect(nearest?.differences.map(\.dimension.rawValue) == differences)
    }

    @Test func `other files, scenarios, failures, and cases that did not run are no candidates`() {
        let log = run(segmentAt: 2)
        let cases = [
            outcome(name(network: "n", scenario: "t"), .pass, log: log), outcome(name(network: "n"), .known, log: log),
            CaseOutcome(CaseResult(name: name(network: "m"), verdict: .pass, findings: [])),
        ]
        #expect(NearestPassing(of: outcome(name(), .fail, log: log), among: cases) == nil)
        let passing = outcome(name(app: "b"), .pass, log: log)
        #expect(NearestPassing(of: outcome(name(), .pass, log: log), among: [passing]) == nil)
    }

    @Test func `states by how many milliseconds the failing run missed a segment`() throws {
        let failing = outcome(
            name(network: "slow"),
            .fail,
            log: run(segmentAt: 1.262, rejectedAt: 1.2),
            findings: [rejection(at: 1.2)]
        )
        let passing = outcome(name(), .pass, log: run(segmentAt: 1.14))
        let nearest = try #require(NearestPassing(of: failing, among: [passing]))
        #expect(
            nearest.sentences == [
                "passes with wifi instead of slow: the app and the player took the same 3 transitions until 1.2 s",
                "they part with the rejection of a, 200 ms after play; the first segment of a came "
                    + "140 ms after play with wifi, and 262 ms after play with slow",
            ]
        )
    }

    @Test func `an app that decides otherwise took another way`() throws {
        let other = log([(0, .itemLoading(item: "a")), (1, .appDecided(policy: "a", decision: "wait", reason: ""))])
        let finding = Finding(rule: "silence", message: "m", at: 5)
        let failing = outcome(name(app: "b"), .fail, log: other, findings: [finding])
        let nearest = try #require(NearestPassing(of: failing, among: [outcome(name(), .pass, log: run(segmentAt: 2))]))
        #expect(nearest.comparison.parting?.transition.to == "wait")
        #expect(nearest.sentences.last?.contains("which does not happen with a") == true)
    }

    @Test func `runs with the same transitions part where one lost the most time`() throws {
        let failing = outcome(name(network: "slow"), .fail, log: run(segmentAt: 4))
        let nearest = try #require(NearestPassing(of: failing, among: [outcome(name(), .pass, log: run(segmentAt: 2))]))
        let isSame = nearest.comparison.ways.allSatisfy(\.isSame)
        #expect(isSame)
        #expect(
            nearest.sentences.last
                == "they part with the first segment of a, 3000 ms after play, instead of 1000 ms with wifi"
        )
    }

    @Test func `without a time, a finding about the background parts with the first other step there`() throws {
        func run(_ decision: String, loading item: String) -> EventLog {
            log([
                (0, .itemLoading(item: item)), (2, .platformLifecycle(phase: "didEnterBackground")),
                (2, .appDecided(policy: "a", decision: decision, reason: "")),
            ])
        }
        let passing = outcome(name(), .pass, log: run("switch", loading: "a"))
        for phase in ["background", nil] {
            let finding = Finding(rule: "r", message: "m", evidence: .init(at: .init(phase: phase)))
            let failing = outcome(name(app: "b"), .fail, log: run("nothing", loading: "b"), findings: [finding])
            let nearest = try #require(NearestPassing(of: failing, among: [passing]))
            #expect(nearest.comparison.parting?.transition.to == phase.map { _ in "nothing" })
        }
    }

    @Test func `wrong content is not compared`() {
        let finding = Finding(rule: "content.missing", message: "m", evidence: .init(at: .init(rendition: "full")))
        let failing = outcome(name(app: "b"), .fail, log: run(segmentAt: 2), findings: [finding])
        #expect(NearestPassing(of: failing, among: [outcome(name(), .pass, log: run(segmentAt: 2))]) == nil)
    }

    @Test func `the drawing has both runs, the parting, and no style of its own`() throws {
        let rejected = run(segmentAt: 9, rejectedAt: 1.2)
        let failing = outcome(name(network: "3<g"), .fail, log: rejected, findings: [rejection(at: 1.2)])
        let nearest = try #require(
            NearestPassing(of: failing, among: [outcome(name(), .pass, log: run(segmentAt: 1.14))])
        )
        let svg = try #require(PartingDrawing(nearest)?.svg)
        #expect(svg.contains("the rejection of a, 200 ms") && svg.contains("the first segment of a, 140 ms"))
        #expect(svg.contains("3&lt;g") && !svg.contains("<style"))
    }

    // MARK: Reports

    /// A failed case over a slow network, and a passed one.
    private var pair: [CaseOutcome] {
        let rejected = run(segmentAt: 1.262, rejectedAt: 1.2)
        return [
            outcome(name(network: "slow"), .fail, log: rejected, findings: [rejection(at: 1.2)]),
            outcome(name(), .pass, log: run(segmentAt: 1.14)),
        ]
    }

    @Test func `the JSON has the transitions of each case, and the nearest passing case of a failed one`() throws {
        var json = Data()
        try SuiteReport(try CaseOutcomes(pair), wallSeconds: 1).writeJSON { json += $0 }
        let object = try JSONSerialization.jsonObject(with: json) as? [String: Any]
        let cases = try #require(object?["cases"] as? [[String: Any]])
        let counts = cases.map { ($0["transitions"] as? [String: [String: Int]])?["platform"] }
        #expect(counts == [["media service: start → rejection, on time": 1], nil])
        let nearest = try #require(cases[0]["nearestPassing"] as? [String: Any])
        let missed = try #require(nearest["missed"] as? [String: Any])
        #expect(missed["failing"] as? Double == 1.262 && missed["passing"] as? Double == 1.14)
        #expect((nearest["parting"] as? [String: Any])?["passing"] is NSNull)
        #expect(cases[1]["nearestPassing"] == nil)
        #expect(cases.allSatisfy { $0["trace"] == nil })
    }

    @Test func `a result in a run folder keeps the trace`() throws {
        let line = try JSONEncoder().encode(CaseRecord(pair[0]))
        let record = try JSONDecoder().decode(CaseRecord.self, from: line)
        #expect(record.outcome.trace == pair[0].trace && record.outcome.trace != nil)
    }

    @Test func `the terminal shows it below the cause, wrapped to its width`() throws {
        let report = SuiteReport(try CaseOutcomes(pair), wallSeconds: 1)
        var causes = FindingCauses()
        for outcome in pair { causes.add(outcome.result) }
        let nearest = try report.nearestPassing(of: CauseText.examples(of: causes))
        var lines: [String] = []
        CauseText.write(
            causes,
            look: ProgressText.Look(columns: 50),
            command: { _ in nil },
            nearest: { nearest[$0] },
            to: { lines.append($0) }
        )
        let text = lines.map { $0.trimmingCharacters(in: .whitespacesAndNewlines) }.joined(separator: " ")
        #expect(text.contains("they part with the rejection of a, 200 ms after play"), "\(text)")
        #expect(lines.allSatisfy { $0.count <= 51 })
    }

    @Test func `the page has its sentences, its address, and its drawing`() throws {
        var outcomes = pair
        for index in outcomes.indices { outcomes[index].story = `The report's page`.story() }
        let page = try `The report's page`.page(outcomes)
        let rows = try page.unpacked("rows-0")
        #expect(rows.contains(#"["s~wifi~p~a~1~f","passes with wifi instead of slow"#), "\(rows)")
        let drawings = try page.unpacked("pictures-0-0")
        #expect(drawings.contains("Both runs around the instant at which they part"))
    }

    // MARK: The bug of the article

    private func played(_ network: String, app: String = "switch-if-was-playing") throws -> CaseOutcome {
        let stream = MemoryStream(seconds: 120)
        let item = ItemAddress(full: MemoryStream.url, background: MemoryStream.url + "?background=1")
        let setup = ScenarioRun.Setup(
            scenario: try Scenario(
                fileAt: Self.harness.file("background-and-return", of: .scenarios),
                in: Self.harness
            ),
            items: [item],
            platform: try PlatformProfile(
                contentsOfFile: Self.harness.file("ios-4.3", of: .platforms),
                in: Self.harness
            ),
            app: try AppProfile(contentsOfFile: Self.harness.file(app, of: .apps), in: Self.harness),
            seed: 1
        )
        let line = try LinkProfile(contentsOfFile: Self.harness.file(network, of: .networks))
        let run = ScenarioRun(setup, network: line) { stream.respond(to: $0) }
        _ = run.run()
        let rejected = run.log.events.first { if case .platformRejected = $0.kind { true } else { false } }
        return outcome(
            name(network: network, app: app),
            rejected == nil ? .pass : .fail,
            log: run.log,
            findings: rejected.map { [rejection(at: $0.at.seconds)] } ?? []
        )
    }

    @Test func `over Wi-Fi and 3G the app takes the same way until the platform rejects its item`() throws {
        let (wifi, slow) = (try played("wifi"), try played("3g"))
        #expect(wifi.result.verdict == .pass && slow.result.verdict == .fail)
        let nearest = try #require(NearestPassing(of: slow, among: [wifi, try played("3g", app: "switch-when-ready")]))
        #expect(nearest.name.network == "wifi")
        let app = try #require(nearest.comparison.ways.first { $0.actor == .app })
        #expect(app.isSame && app.shared >= 6, "\(app)")
        #expect(nearest.comparison.parting?.transition.event == "platform.rejected")
        #expect(nearest.comparison.missed?.item == nearest.comparison.parting?.item)
        let missed = try #require(nearest.comparison.missed)
        let origin = try #require(nearest.comparison.origin)
        #expect(origin.transition.to == "play")
        let there = try #require(missed.passing) - (try #require(origin.passing))
        #expect((0...1).contains(there), "\(nearest.sentences)")
    }
}
