import Foundation
import SegueTestSupport
import Testing

@Suite struct `Regression suite` {
    private struct Report: Decodable {
        struct Summary: Decodable { var files, cases, passed, failed, known, skipped: Int }
        struct Finding: Decodable { var rule, message: String }
        struct Metrics: Decodable { var background: String?, missingSamples: Int?, repeatedSamples: Int? }
        struct Case: Decodable {
            var file, scenario, network, platform, app, verdict: String
            var findings: [Finding]
            var metrics: Metrics
        }

        var schema: Int
        var summary: Summary
        var cases: [Case]
    }

    private func report(_ arguments: String...) async throws -> (Report, Program.Outcome) {
        let folder = try TestFolder()
        let json = folder.file("report.json")
        let outcome = try await Program.run(
            "timeout",
            ["240", Program.path, "regress"] + arguments + ["--json", json]
        )
        let data = try Data(contentsOf: URL(fileURLWithPath: json))
        return (try JSONDecoder().decode(Report.self, from: data), outcome)
    }

    @Test func `the film continues in the background unless play precedes its first segment`() async throws {
        let film = try await AcceptanceMedia.folder.file("film.mp4")
        let (report, outcome) = try await report(
            film,
            "--platform",
            "ios-4.3",
            "--network",
            "wifi,3g",
            "--app",
            "switch-if-was-playing,switch-when-ready",
            "--scenario",
            "background-and-return"
        )
        #expect(report.cases.map(\.app).map { $0 == "switch-when-ready" } == [false, false, true, true])
        #expect(report.cases.map(\.network) == ["wifi", "3g", "wifi", "3g"])
        #expect(report.cases.map(\.metrics.background) == ["continues", "rejected", "continues", "continues"])
        #expect(report.cases.map(\.verdict) == ["pass", "fail", "pass", "pass"])
        #expect(outcome.status == 1)
        #expect(outcome.output.contains("its tracks are not known yet"))
    }

    @Test func `a good folder passes and nothing is missing`() async throws {
        let (report, outcome) = try await report(try await AcceptanceMedia.folder.path)
        #expect(report.schema == 1)
        #expect(report.summary.files == 2 && report.summary.cases == 4 && report.summary.passed == 4)
        #expect(report.cases.allSatisfy { $0.metrics.missingSamples == 0 && $0.metrics.repeatedSamples == 0 })
        #expect(outcome.status == 0)
        #expect(outcome.output.contains("2 files, 4 cases: 4 passed"))
    }

    @Test func `the same seed gives the same logs, whatever the number of jobs`() async throws {
        let media = try await AcceptanceMedia.folder.path
        let logs = try TestFolder()
        for (name, jobs) in [("one", "1"), ("two", "2"), ("again", "2")] {
            let outcome = try await Program.run(
                "regress",
                media,
                "--network",
                "3g-lossy",
                "--jobs",
                jobs,
                "--log",
                logs.file(name),
                "--quiet"
            )
            #expect(outcome.status != 2)
        }
        let same = try await Program.run("diff", ["-r", logs.file("one"), logs.file("two")])
        let again = try await Program.run("diff", ["-r", logs.file("two"), logs.file("again")])
        #expect(same.status == 0 && again.status == 0)
        let names = try FileManager.default.subpathsOfDirectory(atPath: logs.file("one"))
        #expect(names.count { $0.hasSuffix(".jsonl") } == 4)
        _ = try await Program.run("regress", media, "--network", "3g-lossy", "--seed", "2", "--log", logs.file("other"))
        #expect(try await Program.run("diff", ["-rq", logs.file("one"), logs.file("other")]).status == 1)
    }

    @Test func `a worker that dies fails its own file alone`() async throws {
        let media = try await AcceptanceMedia.folder.path
        let folder = try TestFolder()
        // The longest file is first: the first worker processes the film, and is the first process unless git runs.
        let script = """
            timeout 120 "$0" regress "$1" --jobs 1 --revision none --quiet --json "$2" & guard=$!
            first() { child=; read -r child rest </proc/$1/task/$1/children; [ -n "$child" ]; } 2>/dev/null
            while ! { first $guard && suite=$child && first $suite; }; do kill -0 $guard || exit 9; done
            kill -SYS $child
            wait $guard
            """
        let json = folder.file("report.json")
        let outcome = try await Program.run("sh", ["-c", script, Program.path, media, json])
        #expect(outcome.status == 1)
        let report = try JSONDecoder().decode(Report.self, from: Data(contentsOf: URL(fileURLWithPath: json)))
        #expect(report.cases.map(\.file) == ["film.mp4", "film.mp4", "song.m4a", "song.m4a"])
        #expect(report.cases.map(\.verdict) == ["fail", "fail", "pass", "pass"])
        #expect(report.cases.first?.findings.map(\.rule) == ["crash"])
        #expect(report.cases.first?.findings.first?.message.contains("Bad system call") == true)
    }

    @Test func `unusual file names do no harm`() async throws {
        let folder = try TestFolder()
        let song = URL(fileURLWithPath: try await AcceptanceMedia.folder.file("song.m4a"))
        for name in ["with space.m4a", "with \"quotes\" and 'those'.m4a", "with\nnewline.m4a", "-option.m4a"] {
            try FileManager.default.copyItem(at: song, to: URL(fileURLWithPath: folder.file(name)))
        }
        let bytes = "cp \"$0\" \"$(printf 'bytes-\\377.m4a')\""
        #expect(try await Program.run("sh", ["-c", bytes, song.path], in: folder).status == 0)
        #expect(symlink("/etc/hostname", folder.file("link.m4a")) == 0)
        let (report, outcome) = try await report(folder.path)
        #expect(report.cases.count == 10)
        #expect(report.cases.allSatisfy { $0.verdict == "pass" })
        #expect(report.cases.contains { $0.file == "with\nnewline.m4a" })
        #expect(report.cases.contains { $0.file == "bytes-\u{FFFD}.m4a" })
        #expect(outcome.status == 0)
    }

    @Test func `a file without media is skipped with the reason`() async throws {
        let folder = try TestFolder()
        _ = try folder.write([], to: "empty.mp4")
        _ = try folder.write(Array("not media at all\n".utf8), to: "text.mp4")
        let (report, outcome) = try await report(folder.path)
        #expect(report.cases.map(\.verdict) == Array(repeating: "skip", count: 4))
        #expect(report.cases.allSatisfy { $0.findings.first?.rule == "unplayable" })
        #expect(report.cases[0].findings.first?.message == "the file is empty")
        #expect(outcome.status == 2)
        #expect(outcome.errors == "segue: regress: no case was judged: all 4 were skipped; see the report\n")
    }
}
