import Foundation
import SegueComparison
import SegueHistory
import SegueTestSupport
import Testing

@Suite struct `Reading and pairing runs` {
    private func line(_ file: String, _ verdict: String, startup: Double = 1) -> String {
        #"{"file":"\#(file)","scenario":"s","network":"n","platform":"p","app":"a","seed":1,"verdict":"\#(verdict)","#
            + #""findings":[{"rule":"r","message":"m"}],"metrics":{"startupSeconds":\#(startup),"stalls":null},"#
            + #""times":{"processorSeconds":0.25,"steps":3}}"#
    }

    private func run(_ folder: TestFolder, _ name: String, _ lines: [String], rest: String = "") throws -> RunSource {
        try FileManager.default.createDirectory(atPath: folder.file(name), withIntermediateDirectories: true)
        _ = try folder.write(Array((lines.map { $0 + "\n" }.joined() + rest).utf8), to: "\(name)/results.jsonl")
        let header = #"{"date":"2026-11-22T16:04:55Z","version":"1","arguments":["regress","http://a:b@c/d"]}"#
        _ = try folder.write(Array(header.utf8), to: "\(name)/run.json")
        return try RunSource(folder.file(name), in: nil)
    }

    @Test func `a run folder is read up to its last complete line`() throws {
        let folder = try TestFolder()
        let source = try run(folder, "a", [line("one", "pass"), line("two", "fail")], rest: #"{"file":"thr"#)
        var cases: [RecordedCase] = []
        let facts = try source.read { cases.append($0) }
        #expect(cases.map(\.name.file) == ["one", "two"] && cases.map(\.seconds) == [0.25, 0.25])
        #expect(
            facts.words == "2026-11-22 16:04, segue 1"
                && facts.command == "segue regress 'http://…@c/d'".filter { $0 != "'" }
        )
    }

    @Test func `cases are paired by name, those of one name in their order`() throws {
        let folder = try TestFolder()
        let old = try run(folder, "a", [line("x", "pass"), line("gone", "pass"), line("x", "fail")])
        let new = try run(folder, "b", [line("x", "pass", startup: 2), line("x", "pass"), line("new", "fail")])
        let compared = try PairedRuns.compare(old, new, history: nil)
        let comparison = compared.comparison
        #expect(comparison.worse.map(\.metric?.name) == ["startupSeconds"])
        #expect(comparison.mended.map(\.name.file) == ["x"] && comparison.gone.map(\.name.file) == ["gone"])
        #expect(comparison.new.map(\.name.file) == ["new"] && comparison.added.map(\.name.file) == ["new"])
        #expect(compared.sum == "1 new failure, 1 worse, 1 fixed, 1 gone, 1 added, 0 unchanged")
    }

    @Test func `releases of one app are paired, each with the same case of the other release`() throws {
        let folder = try TestFolder()
        func release(_ name: String, _ policy: String, of app: String, _ verdict: String) throws -> RunSource {
            let text = line("film", verdict).replacingOccurrences(of: #""app":"a""#, with: #""app":"\#(policy)""#)
            let source = try run(folder, name, [text])
            let header =
                #"{"date":"2026-11-22T16:04:55Z","releases":{"\#(policy)":{"app":"\#(app)","version":"\#(name)"}}}"#
            _ = try folder.write(Array(header.utf8), to: "\(name)/run.json")
            return source
        }
        let old = try release("3.5", "early", of: "player", "fail")
        let new = try release("3.6", "late", of: "player", "pass")
        let compared = try PairedRuns.compare(old, new, history: nil)
        #expect(compared.sum == "1 fixed, 0 unchanged" && compared.comparison.mended.first?.formerApp == "early")
        #expect(compared.releases == ["player 3.5 (early) → 3.6 (late)"])
        // Policies of different apps remain apart.
        let other = try PairedRuns.compare(old, try release("1", "late", of: "another", "pass"), history: nil)
        #expect(other.sum == "1 gone, 1 added, 0 unchanged" && other.releases == [])
    }

    @Test(arguments: [
        ("{}", "line 2 is not a case: file is missing"), ("{", "line 2 is not a case: it is not JSON"),
        (#"{"file":1}"#, "line 2 is not a case: file has the wrong type"),
        (#"{"file":"a","scenario":"s","network":"n","platform":"p","app":"a","seed":1,"verdict":"odd"}"#, "verdict"),
    ])
    func `an invalid line is reported with its place`(text: String, words: String) throws {
        let folder = try TestFolder()
        let source = try run(folder, "a", [line("one", "pass"), text])
        let failure = try #require(throws: RunFailure.self) { _ = try source.read { _ in } }
        #expect(failure.description.contains(words), "\(failure)")
        #expect(failure.what.hasSuffix("results.jsonl"))
    }

    @Test func `a report is read by its schema, and other files are refused`() throws {
        let folder = try TestFolder()
        func read(_ text: String) throws -> Int {
            let path = try folder.write(Array(text.utf8), to: "r.json")
            var count = 0
            _ = try RunSource(path, in: nil).read { _ in count += 1 }
            return count
        }
        #expect(try read(#"{"cases":[\#(line("a", "pass"))],"schema":1}"#) == 1)
        let schema = try #require(throws: RunFailure.self) { try read(#"{"cases":[],"schema":2}"#) }
        #expect(schema.why == "has report schema 2; this version of segue reads schema 1")
        let empty = try #require(throws: RunFailure.self) { try read("") }
        #expect(empty.why == "is not a report in JSON")
        let none = try #require(throws: RunFailure.self) {
            _ = try RunSource(folder.path, in: nil).read { _ in }
        }
        #expect(none.why == "is not a run folder: results.jsonl is missing")
    }
}
