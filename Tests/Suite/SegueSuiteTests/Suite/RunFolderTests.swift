import Foundation
import SegueBase
import SegueComparison
import SegueTestSupport
import SystemPackage
import Testing

@testable import SegueSuite

@Suite struct `Run folder` {
    private let folder: TestFolder
    private let matrix = Matrix(
        scenarios: [("one", "p"), ("two", "p")],
        networks: ["n", "m"],
        platforms: [],
        apps: ["a"],
        seeds: [1]
    )
    private var table: CaseTable { CaseTable(files: ["a.mp4", "b.mp4", "c.mp4"].map { ($0, .all) }, matrix: matrix) }

    init() throws { folder = try TestFolder() }

    @Test func `recorded results are there when the file is opened again, in matrix order`() throws {
        do {
            let results = try open()
            for (file, place) in [(1, 0), (0, 0), (1, 1), (0, 2), (2, 3)] { try results.add(outcome(file, place)) }
            try results.flush()
        }
        let results = try open()
        #expect(try all(results) == [outcome(0, 0), outcome(0, 2), outcome(1, 0), outcome(1, 1), outcome(2, 3)])
        #expect(results.wasRun(file: 0, case: 2) && !results.wasRun(file: 0, case: 1))
    }

    @Test func `an incomplete line is removed, wherever it ends`() throws {
        let whole = try lines([outcome(0, 0), outcome(0, 1)])
        let first = try #require(whole.firstIndex(of: UInt8(ascii: "\n"))) + 1
        for length in [first, first + 1, (first + whole.count) / 2, whole.count - 1] {
            let path = try folder.write(Array(whole[..<length]), to: "results.jsonl")
            let results = try open()
            #expect(try all(results) == [outcome(0, 0)])
            try results.add(outcome(0, 1))
            try results.flush()
            #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == Data(whole))
        }
    }

    @Test func `garbage at the end is removed, and a bad line before others is reported`()
        throws
    {
        let whole = try lines([outcome(0, 0), outcome(0, 1)])
        _ = try folder.write(whole + [UInt8](repeating: 0, count: 20) + [10], to: "results.jsonl")
        #expect(try all(open()) == [outcome(0, 0), outcome(0, 1)])
        _ = try folder.write(Array("{}\n".utf8) + whole, to: "results.jsonl")
        let error = try #require(throws: RunFolderError.self) { try open() }
        #expect(error.description == "\(folder.file("results.jsonl")): line 1 is not a result; remove the line")
        _ = try folder.write(try lines([outcome(0, 0)]), to: "results.jsonl")
        let others = CaseTable(files: [("b.mp4", .all)], matrix: matrix)
        let foreign = try #require(throws: RunFolderError.self) {
            try RunResults(path: folder.file("results.jsonl"), table: others, isWritable: true)
        }
        #expect(foreign.description.contains("line 1 is a case of a different run"))
    }

    @Test func `a case outside a title's selection is neither missing nor one of the run`() throws {
        let own = CaseSelection(scenarios: ["two"], networks: ["m"])
        let table = CaseTable(files: [("a.mp4", own), ("b.mp4", .all)], matrix: matrix)
        #expect(table.count == 5)
        #expect(table.cases.indices.filter { table.has(file: 0, case: $0) } == [3])
        #expect(table.count(ofFile: 0, in: 0..<3) == 0 && table.count(ofFile: 1, in: 1..<4) == 3)
    }

    @Test func `the later of two results counts, and broken cases are run again`() throws {
        var broken = outcome(0, 0)
        broken.result.verdict = .broken
        let results = try open()
        try results.add(broken)
        try results.add(outcome(0, 1))
        try results.flush()
        #expect(!results.wasRun(file: 0, case: 0) && results.hasResult(file: 0, case: 0))
        try results.add(outcome(0, 0))
        try results.flush()
        #expect(try all(results) == [outcome(0, 0), outcome(0, 1)])
        #expect(try all(open()) == [outcome(0, 0), outcome(0, 1)])
        #expect(results.wasRun(file: 0, case: 0))
    }

    @Test func `a full disk leaves complete lines, and names the file`() throws {
        do {
            let results = try open { file, position, bytes in
                // Writes as much as fits, as on a disk that becomes full.
                try file.writeAll(toAbsoluteOffset: position, bytes.prefix(max(0, 900 - Int(position))))
                if Int(position) + bytes.count > 900 { throw Errno.noSpace }
            }
            try results.add(outcome(0, 0))
            try results.flush()
            try results.add(outcome(0, 1))
            try results.add(outcome(0, 2))
            let error = try #require(throws: RunFolderError.self) { try results.flush() }
            #expect(error.description == "\(folder.file("results.jsonl")): No space left on device")
            #expect(try all(results) == [outcome(0, 0)])
        }
        #expect(
            try Data(contentsOf: URL(fileURLWithPath: folder.file("results.jsonl"))) == Data(lines([outcome(0, 0)]))
        )
    }

    @Test func `ten thousand results take a few bytes of memory each`() throws {
        let big = Matrix(
            scenarios: [("s", "p")],
            networks: (0..<1000).map { "n\($0)" },
            platforms: [],
            apps: ["a"],
            seeds: [1]
        )
        let table = CaseTable(files: (0..<10).map { ("\($0).mp4", .all) }, matrix: big)
        let results = try RunResults(path: folder.file("results.jsonl"), table: table, isWritable: true)
        for place in 0..<1000 {
            for file in [3, 7, 0] { try results.add(CaseOutcome(result(table.name(file: file, case: place)))) }
            if place % 10 == 0 { try results.flush() }
        }
        try results.flush()
        var seen: [String] = []
        try results.each(ofFile: 7) { seen.append($1.result.name.network) }
        #expect(seen == big.networks)
    }

    private func open(write: RunResults.Write? = nil) throws -> RunResults {
        let path = folder.file("results.jsonl")
        guard let write else { return try RunResults(path: path, table: table, isWritable: true) }
        return try RunResults(path: path, table: table, isWritable: true, write: write)
    }

    private func all(_ results: RunResults) throws -> [CaseOutcome] {
        var outcomes: [CaseOutcome] = []
        for file in table.files.indices { try results.each(ofFile: file) { outcomes.append($1) } }
        return outcomes
    }

    /// The lines of some results, as a run writes them.
    private func lines(_ outcomes: [CaseOutcome]) throws -> [UInt8] {
        let path = folder.file("other.jsonl")
        try? FileManager.default.removeItem(atPath: path)
        let results = try RunResults(path: path, table: table, isWritable: true)
        for outcome in outcomes { try results.add(outcome) }
        try results.flush()
        return [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
    }

    private func outcome(_ file: Int, _ place: Int) -> CaseOutcome {
        var outcome = CaseOutcome(result(table.name(file: file, case: place)), steps: place, stepsSeconds: 0.25)
        outcome.cost = CaseCost(began: 1_795_364_975.425614, wallSeconds: 0.1, processorSeconds: 0.2)
        return outcome
    }

    private func result(_ name: CaseName) -> CaseResult {
        var metrics = CaseMetrics()
        metrics.heardSeconds = 0.1 + 0.2
        return CaseResult(name: name, verdict: .pass, findings: [], metrics: metrics)
    }
}
