import Foundation
import SegueTestSupport
import Testing

@Suite struct `Lasting results` {
    /// Enough cases that the run is still active when the first one ends.
    private let cross = [
        "--network", "wifi,3g,4g,lte,lan,cable,dsl,fios,tram,train", "--platform", "desktop,ios-4.3,ios-12.3,ios-15",
        "--jobs", "1", "--without-times",
    ]

    @Test func `a killed run resumes, and its reports equal those of an undisturbed run`() async throws {
        let folder = try TestFolder()
        try await begin(folder, signal: "KILL")
        let kept = try results(in: folder).count
        #expect(kept > 0 && kept < 160)
        let ended = try await Program.run("regress", "--resume", folder.file("run"), "--quiet")
        #expect(try results(in: folder).count == 160)
        let media = try await AcceptanceMedia.folder.path
        let whole = try await Program.run("timeout", arguments(media, "--run", folder.file("whole")))
        #expect(whole.status < 2 && ended.status == whole.status, "\(whole.errors) \(ended.errors)")
        for name in ["report.json", "junit.xml", "report.html", "logs"] {
            let same = try await Program.run("diff", ["-r", folder.file("run/\(name)"), folder.file("whole/\(name)")])
            #expect(same.status == 0, "\(name): \(same.output.prefix(300))")
        }
        // Without a folder the report is the same.
        _ = try await Program.run("timeout", arguments(media, "--json", folder.file("alone.json")))
        let alone = try await Program.run("cmp", [folder.file("alone.json"), folder.file("whole/report.json")])
        #expect(alone.status == 0)
    }

    @Test(arguments: ["INT", "TERM"])
    func `a signal ends a run with a report of completed cases`(signal: String) async throws {
        let folder = try TestFolder()
        let outcome = try await begin(folder, signal: signal)
        let kept = try results(in: folder).count
        let line = "segue: regress: interrupted by SIG\(signal) after \(kept) of 160 cases; "
        #expect(outcome.errors.hasSuffix("\(line)continue it with segue regress --resume \(folder.file("run"))\n"))
        let json = try Data(contentsOf: URL(fileURLWithPath: folder.file("run/report.json")))
        let report = try #require(try JSONSerialization.jsonObject(with: json) as? [String: Any])
        let summary = try #require(report["summary"] as? [String: Any])
        #expect(summary["cases"] as? Int == kept && summary["planned"] as? Int == 160)
        #expect(outcome.status == (summary["failed"] as? Int == 0 ? 2 : 1))
    }

    @Test func `a second process is refused with the user of a run`() async throws {
        let folder = try TestFolder()
        let second = "\"$0\" regress --resume \"$run\" 2>\"$run/../second\"; echo $? >>\"$run/../second\"; "
        try await begin(folder, signal: "KILL", before: second)
        let said = try String(contentsOfFile: folder.file("second"), encoding: .utf8)
        let words = /segue: .*\/run: process \d+ on \S+, since \S+ is using this run\n2\n/
        #expect(try words.wholeMatch(in: said) != nil, "\(said)")
    }

    @Test func `a run does not resume after changes, and does not start in a used folder`() async throws {
        let folder = try TestFolder()
        let song = URL(fileURLWithPath: try await AcceptanceMedia.folder.file("song.m4a"))
        try FileManager.default.createDirectory(atPath: folder.file("media"), withIntermediateDirectories: false)
        let copy = URL(fileURLWithPath: folder.file("media/song.m4a"))
        try FileManager.default.copyItem(at: song, to: copy)
        let run = folder.file("run")
        let first = try await Program.run("regress", folder.file("media"), "--run", run, "--quiet")
        #expect(first.status == 0 && first.errors.isEmpty)
        let again = try await Program.run("regress", folder.file("media"), "--run", run)
        #expect(again.status == 2)
        let words = "already contains a run; continue it with --resume, or name another folder"
        #expect(again.errors == "segue: \(run): \(words)\n")
        let other = try await Program.run("regress", "--resume", run, "--network", "3g")
        #expect(other.errors == "segue: --resume: uses the options of the run and does not support --network\n")
        #expect(other.status == 2)
        let nothing = try await Program.run("regress", "--resume", folder.file("media"))
        #expect(nothing.errors == "segue: \(folder.file("media")): contains no run; start one with --run\n")
        try FileManager.default.setAttributes(
            [.modificationDate: Date(timeIntervalSince1970: 1)],
            ofItemAtPath: copy.path
        )
        let changed = try await Program.run("regress", "--resume", run)
        #expect(changed.status == 2)
        let why = "cannot be resumed: song.m4a has changed; start a new run with --run"
        #expect(changed.errors == "segue: \(run): \(why)\n")
    }

    @Test func `merged parts equal the whole report, and a missing part is reported`() async throws {
        let folder = try TestFolder()
        let media = try await AcceptanceMedia.folder.path
        let options = ["--quiet", "--without-times", "--network", "wifi,lan,fios"]
        func run(_ words: String...) async throws -> Program.Outcome {
            try await Program.run("timeout", ["600", Program.path] + words + options)
        }
        let whole = try await run("regress", media, "--run", folder.file("whole"))
        for part in 1...3 {
            let name = folder.file("part-\(part)")
            let outcome = try await run(
                "regress",
                media,
                "--shard",
                "\(part)/3",
                "--balance",
                folder.file("whole"),
                "--run",
                name
            )
            #expect(outcome.status < 2, "\(outcome.errors)")
        }
        let parts = (1...3).map { folder.file("part-\($0)") }
        let outputs = [
            "--json", folder.file("m.json"), "--junit", folder.file("m.xml"), "--html", folder.file("m.html"),
        ]
        let merge = ["600", Program.path, "merge", "--quiet", "--without-times"]
        let merged = try await Program.run("timeout", merge + parts + outputs)
        #expect(merged.status == whole.status && merged.errors.isEmpty, "\(merged.errors)")
        for (one, other) in [("m.json", "report.json"), ("m.xml", "junit.xml"), ("m.html", "report.html")] {
            let same = try await Program.run("cmp", [folder.file(one), folder.file("whole/\(other)")])
            #expect(same.status == 0, "\(same.output)\(same.errors)")
        }
        let gap = try await Program.run("timeout", merge + parts.dropLast())
        #expect(gap.status == 2 && gap.errors.contains("segue: merge: shard 3 of 3 is missing\n"), "\(gap.errors)")
        let alone = try await run("regress", media, "--shard", "1/3")
        #expect(alone.status == 2 && alone.errorLines.count == 1)
    }

    @Test func `a suite is divided by the times in its history`() async throws {
        let folder = try TestFolder()
        let media = try await AcceptanceMedia.folder.file("song.m4a")
        func run(_ words: String...) async throws -> Program.Outcome {
            try await Program.run("timeout", ["120", Program.path, "regress", media, "--quiet"] + words)
        }
        #expect(try await run("--history", folder.file("h.db")).status < 2)
        let part = try await run("--shard", "1/2", "--balance", folder.file("h.db"), "--run", folder.file("1"))
        #expect(part.status < 2 && part.errors.isEmpty, "\(part.errors)")
        #expect(try await run("--without-times", "--history", folder.file("bare.db")).status < 2)
        let bare = try await run("--shard", "1/2", "--balance", folder.file("bare.db"), "--run", folder.file("2"))
        #expect(bare.status == 2)
        #expect(
            bare.errorLines.first?.hasSuffix("has no times of cases; new runs add them")
                == true
        )
    }

    @Test func `the output ends with changes since the last run and causes`() async throws {
        let folder = try TestFolder()
        let media = try await AcceptanceMedia.folder.file("song.m4a")
        _ = try folder.write(
            Array("rules:\n  - id: small\n    about: a\n    budget: { bytes: 1 }\n".utf8),
            to: "r.yaml"
        )
        let words = [
            "120", Program.path, "regress", media, "--scenario", "play-through", "--history", folder.file("h.db"),
        ]
        #expect(try await Program.run("timeout", words).output.contains("\nsince") == false)
        let outcome = try await Program.run("timeout", words + ["--rules", folder.file("r.yaml")])
        #expect(outcome.status == 1)
        let lines = outcome.output.split(separator: "\n").map(String.init)
        let since = try #require(lines.firstIndex { $0.hasPrefix("since run #1: ") })
        #expect(lines[since + 1] == "new failures" && lines[since + 2].hasPrefix("  small: bytes is "))
        let causes = try #require(lines.firstIndex(of: "causes"))
        #expect(causes > since && lines[causes + 1].hasPrefix("  fail  small: bytes is "))
        let command = try #require(lines.dropFirst(causes).first { $0.hasPrefix("    segue regress ") })
        let again = command.split(separator: " ").dropFirst().map(String.init)
        // The printed command works: the case fails again.
        let replayed = try await Program.run("timeout", ["120", Program.path] + again)
        #expect(replayed.status == 1 && replayed.output.contains("1 file, 1 case: 0 passed, 1 failed"))
        #expect(!outcome.output.contains("\u{1B}") && !outcome.errors.contains("\u{1B}"))
    }

    /// Runs the suite in `run`, and sends it a signal when the first case ends.
    @discardableResult
    private func begin(_ folder: TestFolder, signal: String, before: String = "") async throws -> Program.Outcome {
        let script = """
            run=$1; shift
            timeout 120 "$0" "$@" & guard=$!
            first() { suite=; read -r suite rest </proc/$1/task/$1/children; [ -n "$suite" ]; } 2>/dev/null
            while ! { first $guard && [ -s "$run/results.jsonl" ]; }; do kill -0 $guard || exit 9; done
            \(before)kill -\(signal) $suite
            wait $guard
            """
        let media = try await AcceptanceMedia.folder.path
        let words = arguments(media, "--run", folder.file("run")).dropFirst(2)
        return try await Program.run("sh", ["-c", script, Program.path, folder.file("run")] + words)
    }

    private func arguments(_ words: String...) -> [String] { ["600", Program.path, "regress"] + words + cross }

    private func results(in folder: TestFolder) throws -> [Substring] {
        try String(contentsOfFile: folder.file("run/results.jsonl"), encoding: .utf8).split(separator: "\n")
    }
}
