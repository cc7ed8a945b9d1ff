import Foundation
import SegueBase
import SegueComparison
import SegueHistory
import SegueTestSupport
import Testing

@Suite struct `A history of runs` {
    private func name(_ number: Int) -> CaseName {
        CaseName(file: "film \(number)", scenario: "s", network: "n", platform: "p", app: "a", seed: 1)
    }

    private func one(_ number: Int, _ verdict: Verdict = .pass, startup: Double = 1) -> RecordedCase {
        RecordedCase(
            name: name(number),
            verdict: verdict,
            findings: verdict == .fail ? [RecordedCase.Finding(rule: "r", message: "m", at: 2)] : [],
            metrics: ["startupSeconds": .number(startup), "background": .word("continues")],
            seconds: 0.5
        )
    }

    private func history(_ folder: TestFolder, isMade: Bool = true) throws -> RunHistory {
        try RunHistory(path: folder.file("h.db"), isMade: isMade)
    }

    @discardableResult
    private func add(_ cases: [RecordedCase], to history: RunHistory, keeping: Int = 100) throws -> Int64 {
        try history.add(RunFacts(), keeping: keeping) { tell in for one in cases { try tell(one) } }
    }

    @Test func `returns runs in their order, also to another process`() throws {
        let folder = try TestFolder()
        var facts = RunFacts()
        (facts.began, facts.revision) = (UTCTime(secondsSince1970: 100), "abc")
        // Two folders of a run can contain files of the same name.
        var phone = one(4)
        phone.name.device = "phone"
        let cases = [one(3), one(1, .fail), one(2, .skip), one(3, startup: 2), phone]
        let made = try history(folder)
        #expect(try made.add(facts) { tell in for one in cases { try tell(one) } } == 1)
        let other = try history(folder, isMade: false)
        var told: [RecordedCase] = []
        try other.cases(of: 1) { told.append($0) }
        #expect(told == cases)
        let run = try #require(try other.runs().first)
        #expect(run.facts == facts && run.cases == 5 && run.bad == 1 && run.judged == 4 && !run.isGreen)
    }

    @Test func `has the times of cases as the median of recent runs`() throws {
        let folder = try TestFolder()
        let history = try history(folder)
        func timed(_ number: Int, _ seconds: Double?) -> RecordedCase {
            var one = one(number)
            one.seconds = seconds
            return one
        }
        try add([timed(1, 100), timed(2, 1)], to: history)
        for seconds in [4.0, 90, 5] { try add([timed(1, seconds), timed(2, nil)], to: history) }
        try add([timed(1, nil)], to: history)
        func told(_ runs: Int) throws -> [String: Double] {
            var told: [String: Double] = [:]
            try history.times(ofLast: runs) { told[$0.file] = $1 }
            return told
        }
        #expect(try told(3) == ["film 1": 5])
        #expect(try told(4) == ["film 1": 5, "film 2": 1])
        #expect(RunHistory.isDatabase(history.path) && !RunHistory.isDatabase(#filePath))
        #expect(!RunHistory.isDatabase(folder.path) && !RunHistory.isDatabase(folder.file("none")))
    }

    @Test func `without times returns none`() throws {
        let history = try history(try TestFolder())
        var bare = one(1)
        bare.seconds = nil
        try add([bare], to: history)
        try history.times { name, _ in Issue.record("\(name)") }
    }

    @Test func `returns a run of any length, and can be queried in between`() throws {
        let folder = try TestFolder()
        let history = try history(folder)
        try add((0..<1234).map { one($0, startup: Double($0)) }, to: history)
        var count = 0
        try history.cases(of: 1) { one in
            let past = try history.past("startupSeconds", of: one.name, before: nil)
            #expect(past == [Double(count)])
            count += 1
        }
        #expect(count == 1234)
    }

    @Test func `keeps the given number of runs and nothing of others`() throws {
        let folder = try TestFolder()
        let history = try history(folder)
        for run in 1...5 { try add([one(run), one(0, startup: Double(run))], to: history, keeping: 3) }
        #expect(try history.runs().map(\.number) == [5, 4, 3])
        var names: [String] = []
        try history.names { names.append($0.file) }
        #expect(names == ["film 0", "film 3", "film 4", "film 5"])
        #expect(try history.course(of: name(0)).figures(of: "startupSeconds") == [3, 4, 5])
    }

    @Test func `returns figures of the last good runs, the newest first`() throws {
        let folder = try TestFolder()
        let history = try history(folder)
        for run in 1...25 { try add([one(0, run == 24 ? .fail : .pass, startup: Double(run))], to: history) }
        let past = try history.past("startupSeconds", of: name(0), before: 25)
        #expect(past == (4...23).reversed().map(Double.init))
        #expect(try history.past("startupSeconds", of: name(1), before: nil).isEmpty)
        #expect(try history.past("background", of: name(0), before: nil).isEmpty)
    }

    @Test func `a run that is not completely added does not exist`() throws {
        struct Ended: Error {}
        let folder = try TestFolder()
        let history = try history(folder)
        #expect(throws: Ended.self) {
            try history.add(RunFacts()) { tell in
                try tell(one(1))
                throw Ended()
            }
        }
        #expect(try history.runs().isEmpty)
        try add([one(1)], to: history)
        #expect(try history.runs().count == 1)
    }

    @Test func `several processes may add runs, and each run is complete`() async throws {
        let folder = try TestFolder()
        _ = try history(folder)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for writer in 0..<4 {
                group.addTask {
                    let own = try self.history(folder)
                    for _ in 0..<5 { try add((0..<20).map { one($0, startup: Double(writer)) }, to: own) }
                }
            }
            try await group.waitForAll()
        }
        let history = try history(folder)
        #expect(try history.runs().map(\.number) == (1...20).reversed().map(Int64.init))
        for run in try history.runs() {
            var seen: Set<Double> = []
            var count = 0
            try history.cases(of: run.number) { one in
                count += 1
                seen.insert(one.metrics["startupSeconds"]?.number ?? -1)
            }
            #expect(count == 20 && seen.count == 1)
        }
    }

    @Test func `an unchanged case takes little space in each further run`() throws {
        let folder = try TestFolder()
        let history = try history(folder)
        let cases = (0..<2000).map { one($0) }
        try add(cases, to: history)
        let first = try history.bytes()
        for _ in 0..<10 { try add(cases, to: history) }
        let grown = try history.bytes() - first
        #expect(grown / 10 < first / 4, "\(first) bytes after one run, \(grown) more after ten others")
    }

    @Test(arguments: ["", "no database, but text that is long enough to be taken for one"])
    func `a file that is not a history is refused and unchanged`(text: String) throws {
        let folder = try TestFolder()
        let path = try folder.write(Array(text.utf8), to: "h.db")
        guard !text.isEmpty else {
            // An empty file is a database without content.
            #expect(try RunHistory(path: path, isMade: true).runs().isEmpty)
            return
        }
        let failure = try #require(throws: RunFailure.self) { try RunHistory(path: path, isMade: true) }
        #expect(failure.description.hasPrefix("\(path): is not a history"), "\(failure)")
        #expect(try String(contentsOfFile: path, encoding: .utf8) == text)
    }

    @Test func `a missing history is created only if requested`() throws {
        let folder = try TestFolder()
        let failure = try #require(throws: RunFailure.self) { try history(folder, isMade: false) }
        #expect(failure.why.contains("no such file"))
        #expect(throws: RunFailure.self) { try RunHistory(path: folder.file("no/such/folder.db"), isMade: true) }
    }

    @Test(arguments: [
        ("last", nil, 4), ("last~1", nil, 3), ("last-green", nil, 3), ("#2", nil, 2), ("2", nil, 2), ("last", 1, 4),
        ("last-green", 3, 1), ("last~2", 1, 2),
    ])
    func `a run is named by its position, its number, or as the last without failures`(
        words: String,
        before: Int64?,
        number: Int64
    ) throws {
        let folder = try TestFolder()
        let history = try history(folder)
        for verdict in [Verdict.pass, .fail, .pass, .skip] { try add([one(1, verdict)], to: history) }
        #expect(try RunSource(words, in: history, before: before).number == number)
    }

    @Test(arguments: [
        ("last~4", "fewer than 4 before the last"), ("#9", "has no run #9; it has #1 to #2"),
        ("last-green", "without failures"),
        ("lst", "no such report"), ("last~x", "no such report"),
    ])
    func `an error for a missing run lists the existing ones`(words: String, expected: String) throws {
        let folder = try TestFolder()
        let history = try history(folder)
        for _ in 0..<2 { try add([one(1, .fail)], to: history) }
        let failure = try #require(throws: RunFailure.self) { try RunSource(words, in: history) }
        #expect(failure.description.contains(expected), "\(failure)")
        #expect(try #require(throws: RunFailure.self) { try RunSource("last", in: nil) }.why.contains("--history FILE"))
    }
}
