import Foundation
import SegueTestSupport
import Testing

@Suite struct `A history of the suite` {
    @Test func `shows new and fixed cases between runs, and the history of a case`() async throws {
        let film = try await AcceptanceMedia.folder.file("film.mp4")
        let folder = try TestFolder()
        let issues = """
            known-issues:
              - {name: paused, about: x, rule: unexpected-error, titles: ["*.mp4"], owner: me, expires: 2020-01-01}
              - {name: mended, about: x, rule: refused, owner: me}
            """
        let file = try folder.write(Array(issues.utf8), to: "issues.yaml")
        // Over 3G the film fails in the background with one policy, which has the name of the other one here.
        func regress(_ policy: String, _ more: String...) async throws -> Program.Outcome {
            let app = try await Program.run(
                "sh",
                [
                    "-c",
                    """
                    here=$0; until [ -d "$here/Harness" ]; do here=$(dirname "$here"); done
                    sed "s/^name: .*/name: mine/" "$here/Harness/apps/$1.yaml" > "$2"
                    """, Program.path, policy, folder.file("app.yaml"),
                ]
            )
            #expect(app.status == 0, "\(app.errors)")
            let arguments = [
                "timeout", "600", Program.path, "regress", film, "--network", "3g", "--app", folder.file("app.yaml"),
            ]
            let kept = ["--scenario", "background-and-return", "--history", folder.file("h.db")] + more
            return try await Program.run("env", arguments + kept)
        }
        func compare(_ arguments: String...) async throws -> Program.Outcome {
            let words = ["600", Program.path, "compare"] + arguments + ["--history", folder.file("h.db")]
            return try await Program.run("timeout", words)
        }
        #expect(try await regress("switch-when-ready", "--revision", "one").status == 0)
        let failed = try await regress("switch-if-was-playing", "--known-issues", file)
        #expect(failed.status == 1)
        #expect(failed.output.contains("the known issue paused expired on 2020-01-01; owner me"), "\(failed.output)")
        #expect(failed.output.contains("known issue mended (owner me) covers no findings any more"), "\(failed.output)")
        let json = folder.file("d.json")
        let worse = try await compare("last-green", "last", "--json", json)
        #expect(worse.status == 1 && worse.output.contains("1 new failure, 0 unchanged"), "\(worse.output)")
        let object = try JSONSerialization.jsonObject(with: Data(contentsOf: URL(fileURLWithPath: json)))
        let new = try #require((object as? [String: Any])?["new"] as? [[String: Any]])
        #expect(new.map { $0["file"] as? String } == ["film.mp4"] && new.map { $0["app"] as? String } == ["mine"])
        let better = try await compare("last", "#1")
        #expect(better.status == 0 && better.output.contains("1 fixed, 0 unchanged"), "\(better.output)")
        let course = try await Program.run("history", "film", "--history", folder.file("h.db"))
        #expect(course.status == 0 && course.output.contains("·✗"), "\(course.output)")
        #expect(try await compare("last", "no-such.json").errorLines.count == 1)
    }
}
