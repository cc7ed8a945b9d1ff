import SegueBase
import SegueComparison
import Testing

@Suite struct `The comparison of two runs` {

    static let name = CaseName(file: "a", scenario: "s", network: "n", platform: "p", app: "x", seed: 1)

    static func one(_ verdict: Verdict, _ findings: [Message] = [], _ metrics: [String: RecordedMetric] = [:])
        -> RecordedCase
    {
        RecordedCase(
            name: name,
            verdict: verdict,
            findings: findings.map { RecordedCase.Finding(rule: "r", message: $0) },
            metrics: metrics
        )
    }

    /// The lists that contain a change, in the documented order.
    static func lists(_ comparison: RunComparison) -> [String] {
        let lists = [
            ("new", comparison.new), ("mended", comparison.mended), ("worse", comparison.worse),
            ("better", comparison.better), ("gone", comparison.gone), ("added", comparison.added),
            ("excused", comparison.excused),
        ]
        return lists.filter { !$0.1.isEmpty }.map(\.0)
    }

    static let courses: [(Verdict, Verdict, [String])] = [
        (.pass, .fail, ["new"]), (.known, .fail, ["new"]), (.skip, .fail, ["new"]), (.broken, .fail, ["new"]),
        (.pass, .broken, ["new"]), (.fail, .broken, ["new"]),
        (.fail, .pass, ["mended"]), (.known, .pass, ["mended"]), (.broken, .pass, ["mended"]),
        (.pass, .skip, ["worse"]), (.fail, .skip, ["worse"]), (.known, .skip, ["worse"]),
        (.skip, .pass, ["better"]), (.skip, .known, ["better"]),
        (.pass, .known, ["excused"]), (.fail, .known, ["excused"]),
        (.pass, .pass, []), (.fail, .fail, []), (.skip, .skip, []), (.known, .known, []), (.broken, .broken, []),
    ]

    @Test(arguments: courses)
    func `a changed verdict is in the right section`(was: Verdict, now: Verdict, expected: [String]) {
        var comparison = RunComparison()
        comparison.add(Self.one(was, ["m"]), Self.one(now, ["m"]))
        #expect(Self.lists(comparison) == expected)
        #expect(comparison.unchanged == (expected.isEmpty ? 1 : 0))
        #expect(comparison.isWorse == (expected == ["new"] || expected == ["worse"]))
    }

    @Test func `added and removed cases are listed, and new failures fail`() {
        var comparison = RunComparison()
        comparison.add(onlyOld: Self.one(.fail, ["m"]))
        comparison.add(onlyNew: Self.one(.pass))
        #expect(Self.lists(comparison) == ["gone", "added"])
        #expect(!comparison.isWorse)
        comparison.add(onlyNew: Self.one(.fail, ["m"]))
        #expect(Self.lists(comparison) == ["new", "gone", "added"])
        #expect(comparison.isWorse)
    }

    @Test func `a case that fails differently lists only new findings`() {
        var comparison = RunComparison()
        comparison.add(Self.one(.fail, ["late by \(0.25) s"]), Self.one(.fail, ["late by \(0.5) s", "silent for 2 s"]))
        #expect(comparison.new.map { $0.findings.map(\.message.text) } == [["silent for 2 s"]])
        comparison.add(Self.one(.fail, ["late by \(0.25) s"]), Self.one(.fail, ["late by \(12) s"]))
        #expect(comparison.new.count == 1 && comparison.unchanged == 1 && comparison.stillFailing == 1)
        // The report of an earlier version has only the text.
        comparison.add(Self.one(.fail, [Message(words: "late by 2 s")]), Self.one(.fail, ["late by \(2) s"]))
        #expect(comparison.new.count == 1 && comparison.unchanged == 2)
    }

    static let figures: [(String, Double, Double, String)] = [
        ("startupSeconds", 1, 1.06, "worse"), ("startupSeconds", 1, 1.05, ""), ("startupSeconds", 1, 0.9, "better"),
        ("startupSeconds", 10, 10.4, ""), ("startupSeconds", 10, 10.6, "worse"), ("stalls", 0, 1, "worse"),
        ("stalls", 2, 1, "better"), ("bitrate", 2_000_000, 1_000_000, "worse"), ("bitrate", 1e6, 2e6, "better"),
        ("avOffsetMilliseconds", 1, -80, "worse"), ("avOffsetMilliseconds", -80, 80, ""),
        ("avOffsetMilliseconds", -80, 2, "better"), ("heardSeconds", 90, 80, "worse"), ("bytes", 1e6, 2e6, "worse"),
        ("missingSamples", 0, 1, "worse"), ("somethingElse", 1, 100, ""), ("startupSeconds", 0, 1e300, "worse"),
    ]

    @Test(arguments: figures)
    func `a metric is worse or better beyond its noticeable difference`(
        metric: String,
        before: Double,
        after: Double,
        expected: String
    ) {
        var comparison = RunComparison()
        comparison.add(
            Self.one(.pass, [], [metric: .number(before)]),
            Self.one(.pass, [], [metric: .number(after)])
        )
        #expect(Self.lists(comparison) == (expected.isEmpty ? [] : [expected]))
    }

    @Test func `a metric with variation has changed only beyond its spread`() {
        let past = [1.0, 1.4, 0.7, 1.2, 0.8, 1.1, 1.3]
        func lists(_ before: Double, _ after: Double, _ past: [Double]) -> [String] {
            var comparison = RunComparison()
            comparison.add(
                Self.one(.pass, [], ["startupSeconds": .number(before)]),
                Self.one(.pass, [], ["startupSeconds": .number(after)])
            ) { _ in past }
            return Self.lists(comparison)
        }
        #expect(lists(1.1, 1.6, past).isEmpty)
        #expect(lists(1.1, 1.6, []) == ["worse"])
        // Four runs are too few to estimate the spread.
        #expect(lists(1.1, 1.6, Array(past.prefix(4))) == ["worse"])
        #expect(lists(1.1, 3, past) == ["worse"])
        // The previous run was an outlier itself.
        #expect(lists(0.5, 1.04, [1, 1, 1.02, 1, 1.01, 1]).isEmpty)
        #expect(lists(1, 1.1, [1, 1, 1, 1, 1, 1, 9]) == ["worse"])
    }

    @Test func `audio in the background has an order from best to worst`() {
        var comparison = RunComparison()
        let words: [RecordedMetric] = [.word("continues"), .word("rejected")]
        comparison.add(Self.one(.pass, [], ["background": words[0]]), Self.one(.pass, [], ["background": words[1]]))
        comparison.add(Self.one(.pass, [], ["background": words[1]]), Self.one(.pass, [], ["background": words[0]]))
        #expect(Self.lists(comparison) == ["worse", "better"])
    }

    @Test func `a metric that does not apply to one of the runs is ignored`() {
        var comparison = RunComparison()
        comparison.add(Self.one(.pass, [], ["stalls": .number(0)]), Self.one(.pass))
        comparison.add(Self.one(.pass), Self.one(.pass, [], ["stalls": .number(9)]))
        #expect(comparison.unchanged == 2)
    }

    @Test func `a case whose metrics are all worse is one cause, by the first of them in the table`() {
        let before: [String: RecordedMetric] = [
            "stalls": .number(0), "startupSeconds": .number(1), "errors": .number(0),
        ]
        let after: [String: RecordedMetric] = [
            "stalls": .number(2), "startupSeconds": .number(3), "errors": .number(1),
        ]
        var comparison = RunComparison()
        comparison.add(Self.one(.pass, [], before), Self.one(.pass, [], after))
        #expect(comparison.worse.count == 3)
        let causes = ChangeCause.of(comparison.worse)
        #expect(causes.map(\.title) == ["startupSeconds: 1 s → 3 s; also errors, stalls"])
        #expect(causes[0].changes.count == 1)
    }

    @Test func `causes group changes of many cases, the most frequent first`() {
        var comparison = RunComparison()
        comparison.add(Self.one(.pass), Self.one(.fail, ["silent for \(2) s", "late by \(1) s"]))
        for place in 1...3 {
            var now = Self.one(.fail, ["late by \(Double(place) / 10) s"])
            now.name.file = "file \(place)"
            comparison.add(onlyNew: now)
        }
        let causes = ChangeCause.of(comparison.new)
        #expect(causes.map(\.changes.count) == [3, 1])
        #expect(causes[0].title == "r: late by 0.1 s (and 2 more with different figures)")
        #expect(causes[0].reach == "3 cases: file 1, file 2, file 3 · n · p · s · x")
    }
}
