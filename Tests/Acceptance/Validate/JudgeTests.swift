import Foundation
import SegueTestSupport
import Testing

@Suite struct `segue judge` {
    @Test func `has the findings and metrics of the run`() async throws {
        let folder = try TestFolder()
        let film = try await AcceptanceMedia.folder.file("film.mp4")
        let (log, played, judged) = (folder.file("logs"), folder.file("played.json"), folder.file("judged.json"))
        let run = try await Program.run(
            "regress",
            film,
            "--network",
            "wifi,edge",
            "--app",
            "switch-if-was-playing,switch-when-ready",
            "--quiet",
            "--log",
            log,
            "--json",
            played
        )
        #expect(run.status == 0 || run.status == 1, "\(run.errors)")
        let files = FileManager.default.enumerator(atPath: log)?.compactMap { $0 as? String } ?? []
        let logs = files.filter { $0.hasSuffix(".jsonl") }.map { "\(log)/\($0)" }
        #expect(logs.count == 8)
        let outcome = try await Program.run("timeout", ["600", Program.path, "judge", "--json", judged] + logs)
        #expect(outcome.status == run.status, "\(outcome.errors)")
        let (before, after) = (try Cases(played), try Cases(judged))
        #expect(before.verdicts.count == 8 && before.verdicts == after.verdicts)
        #expect(before.findings == after.findings)
        let unknown: Set = ["missingSamples", "repeatedSamples", "avOffsetMilliseconds", "bytes"]
        for (name, metrics) in before.metrics {
            for (metric, value) in metrics where !unknown.contains(metric) {
                let other = after.metrics[name]?[metric]
                if let number = value as? Double, let judged = other as? Double {
                    #expect(abs(number - judged) <= max(0.000_02, number * 1e-6), "\(metric) of \(name)")
                } else {
                    #expect("\(value)" == other.map { "\($0)" }, "\(metric) of \(name)")
                }
            }
        }
    }

    @Test func `judges eight lines of another player, and draws them`() async throws {
        let folder = try TestFolder()
        let log = try folder.write(
            Array(
                """
                {"t":0,"kind":"player.command","name":"play","item":"song"}
                {"t":0.2,"kind":"myplayer.manifestParsed","levels":[1,2,3]}
                {"t":1.25,"kind":"sound.began","item":"song","position":0}
                {"t":11.25,"kind":"item.stalled","item":"song","position":10}
                {"t":11.25,"kind":"sound.ended","item":"song","position":10,"reason":"stall"}
                {"t":14,"kind":"sound.began","item":"song","position":10}
                {"t":64,"kind":"sound.ended","item":"song","position":60,"reason":"end"}
                {"t":64,"kind":"item.playedToEnd","item":"song"}
                """.utf8
            ),
            to: "song.jsonl"
        )
        let own = try folder.write(
            Array(
                """
                rules:
                  - id: budget
                    about: What our listeners put up with.
                    budget: { startup: 1, stall-seconds: 2, heard: "> 59" }
                    tags: [premium]
                """.utf8
            ),
            to: "own.yaml"
        )
        let free = try await Program.run("judge", log)
        #expect(free.status == 0 && free.output.contains("song.jsonl"))
        #expect(
            free.errors == "segue: \(log): 1 line of unknown kinds skipped: myplayer.manifestParsed (1)\n"
        )
        let (frame, page, junit) = (folder.file("song.svg"), folder.file("song.html"), folder.file("song.xml"))
        let held = try await Program.run(
            "judge",
            log,
            "--rules",
            "default,\(own)",
            "--tag",
            "premium",
            "--network",
            "wifi",
            "--draw",
            frame,
            "--html",
            page,
            "--junit",
            junit
        )
        #expect(held.status == 1 && held.output.contains("stall-on-a-fast-network: song stalled at "))
        let text = try String(contentsOfFile: junit, encoding: .utf8)
        #expect(
            text.contains("budget: startup is 1.25 s, must be &lt;= 1 s; stall-seconds is 2.75 s, must be &lt;= 2 s"),
            "\(text)"
        )
        for file in [frame, page] { #expect(try String(contentsOfFile: file, encoding: .utf8).contains("<svg")) }
        let untagged = try await Program.run("judge", log, "--rules", own)
        #expect(untagged.status == 0)
    }

    @Test func `reports a broken log, and judges the others`() async throws {
        let folder = try TestFolder()
        let good = try folder.write(Array(#"{"t":1,"kind":"queue.current","item":"a"}"#.utf8), to: "good.jsonl")
        let bad = try folder.write(Array("{}\n".utf8), to: "bad.jsonl")
        let outcome = try await Program.run("judge", bad, folder.file("none.jsonl"), good)
        #expect(outcome.status == 2 && outcome.output.contains("good.jsonl"))
        #expect(
            outcome.errorLines == [
                "segue: \(bad): line 1 has no kind", "segue: \(folder.file("none.jsonl")): No such file or directory",
            ]
        )
    }

    /// The verdicts of the cases of a report.
    private struct Cases {
        var verdicts: [String: String] = [:]
        var findings: [String: [String]] = [:]
        var metrics: [String: [String: Any]] = [:]

        init(_ path: String) throws {
            let report = try JSONSerialization.jsonObject(with: Data(contentsOf: URL(fileURLWithPath: path)))
            let cases = try #require((report as? [String: Any])?["cases"] as? [[String: Any]])
            for one in cases {
                let name = ["file", "scenario", "network", "platform", "app"].map { "\(one[$0] ?? "")" }.joined(
                    separator: " "
                )
                verdicts[name] = one["verdict"] as? String
                findings[name] = (one["findings"] as? [[String: Any]])?.map {
                    "\($0["rule"] ?? ""): \($0["message"] ?? "")"
                }
                metrics[name] = one["metrics"] as? [String: Any]
            }
        }
    }
}
