import Foundation
import SegueBase
import SegueComparison
import SegueTestSupport
import Testing

@testable import SegueSuite

@Suite struct `Merged runs` {
    private let folder: TestFolder

    init() throws { folder = try TestFolder() }

    @Test func `parts are joined in the order of the suite, whatever order they are given in`() throws {
        try run("one", part: 1, [(0, 0, 2), (1, 0, 1)])
        try run("two", part: 2, [(1, 1, 2)])
        let merged = try MergedRuns([folder.file("two"), folder.file("one")])
        #expect(merged.complaints.isEmpty)
        #expect(try cases(merged) == ["a 1 pass", "a 2 pass", "b 1 pass", "b 2 pass"])
        #expect(merged.planned == 4 && merged.outcomes.tally.summary.files == 2)
    }

    @Test func `missing and duplicate parts are reported`() throws {
        try run("one", part: 1, of: 3, [(0, 0, 2)])
        try run("again", part: 1, of: 3, [(0, 0, 2)])
        try run("two", part: 2, of: 3, [(1, 0, 1)], done: 0)
        let merged = try MergedRuns(["one", "again", "two"].map(folder.file))
        #expect(
            merged.complaints == [
                "shard 1 of 3 exists 2 times: \(folder.file("one")), \(folder.file("again"))",
                "shard 2 of 3 is incomplete: 1 of its 1 cases have no result; "
                    + "continue it with segue regress --resume \(folder.file("two"))",
                "shard 3 of 3 is missing", "2 cases of the suite have no result",
                "2 cases have several results; the first is used",
            ]
        )
        #expect(try cases(merged) == ["a 1 pass", "a 2 pass"])
    }

    @Test func `a crash in one part fails the whole file`() throws {
        try run("one", part: 1, [(0, 0, 2), (1, 0, 1)])
        try run("two", part: 2, [(1, 1, 2)], verdict: .fail)
        let merged = try MergedRuns([folder.file("one"), folder.file("two")])
        #expect(try cases(merged) == ["a 1 pass", "a 2 pass", "b 1 fail", "b 2 fail"])
    }

    @Test func `runs of different suites are not joined`() throws {
        try run("one", part: 1, [(0, 0, 2)])
        try run("two", part: 2, [(1, 0, 2)], bytes: 6)
        let error = try #require(throws: RunFolderError.self) {
            _ = try MergedRuns([folder.file("one"), folder.file("two")])
        }
        let words = "belongs to a different suite from \(folder.file("one")): a has changed"
        #expect(error.description == "\(folder.file("two")): \(words)")
    }

    @Test(arguments: [
        (#""from" : 0"#, #""from" : -1"#), (#""to" : 2"#, #""to" : 9000000000000000000"#),
        (#""file" : 0"#, #""file" : 7"#),
        (#""of" : 2"#, #""of" : 9000000000000000000"#), (#""number" : 1"#, #""number" : 3"#),
    ])
    func `a header with impossible cases is refused`(number: String, other: String) throws {
        try run("one", part: 1, [(0, 0, 2)])
        let path = folder.file("one/run.json")
        let text = try String(contentsOfFile: path, encoding: .utf8)
        #expect(text.contains(number))
        try text.replacing(number, with: other).write(toFile: path, atomically: true, encoding: .utf8)
        let error = try #require(throws: RunFolderError.self) { _ = try MergedRuns([folder.file("one")]) }
        #expect(error.description == "\(path): lists cases outside its matrix")
    }

    /// Writes a run with some cases of two files, two cases each.
    private func run(
        _ name: String,
        part: Int,
        of count: Int = 2,
        _ ranges: [(file: Int, from: Int, to: Int)],
        done: Int = .max,
        verdict: Verdict = .pass,
        bytes: Int64 = 5
    ) throws {
        let cases = ranges.map { RunHeader.CaseRange(file: $0.file, from: $0.from, to: $0.to) }
        let header = RunHeader(
            version: "1",
            build: "b",
            date: "d",
            directory: "/",
            arguments: [],
            data: [:],
            matrix: .init(
                scenarios: [.init(name: "s", platform: "p")],
                networks: ["n"],
                platforms: [],
                apps: ["x"],
                seeds: [1, 2]
            ),
            files: [
                .init(name: "a", bytes: bytes, modified: Int64(part)),
                .init(name: "b", bytes: 7, modified: Int64(part)),
            ],
            part: .init(number: part, of: count, cases: cases),
            cases: cases.reduce(0) { $0 + $1.to - $1.from }
        )
        let folder = try RunFolder.begin(folder.file(name), header)
        let all = cases.flatMap { range in (range.from..<range.to).map { header.table.name(file: range.file, case: $0) }
        }
        for name in all.prefix(done) {
            let findings = verdict == .fail ? [Finding(.crash, "died")] : []
            try folder.results.add(CaseOutcome(CaseResult(name: name, verdict: verdict, findings: findings)))
        }
        try folder.results.flush()
    }

    private func cases(_ merged: MergedRuns) throws -> [String] {
        var cases: [String] = []
        try merged.outcomes.each { cases.append("\($0.result.name.file) \($0.result.name.seed) \($0.result.verdict)") }
        return cases
    }
}
