import Foundation
import SegueTestSupport
import Testing

@Suite struct `Validate` {
    @Test(arguments: [
        "master.m3u8", "master.m3u8?background=1", "index.m3u8?container=ts", "index.m3u8?container=fmp4",
        "index.m3u8?container=ts&background=1", "index.m3u8?container=fmp4&background=1",
    ])
    func `served content breaks no MUST rule`(playlist: String) async throws {
        let folder = try await AcceptanceMedia.folder
        try await Program.serving(folder.path) { served in
            let url = try await served.item("film") + "/" + playlist
            let outcome = try await Program.run("validate", url, "--waivers", "one-film")
            #expect(outcome.output.contains(": 0 must fix, "), "\(outcome.output)")
            #expect(outcome.status == 0)
            #expect(outcome.errors.isEmpty)
        }
    }

    @Test func `a broken playlist exits with 1, and waived findings are listed`() async throws {
        let folder = try TestFolder()
        let text = "#EXTM3U\n#EXT-X-TARGETDURATION:1\n#EXTINF:0.5,\nnowhere.ts\n"
        let path = try folder.write(Array(text.utf8), to: "index.m3u8")
        let json = folder.file("report.json")
        let outcome = try await Program.run(
            "validate",
            path,
            "--profile",
            "rfc",
            "--waive",
            "segment-readable",
            "--json",
            json
        )
        #expect(outcome.status == 1)
        #expect(outcome.output.contains("must fix:\n  version-enough (R4.3.1.2, R7, B4.4.1.2, B8): "))
        #expect(outcome.output.contains("waived:\n  segment-readable (R3.1): "))
        let figures = "1 must fix, 0 should fix, 1 waived, 2 must and 0 should fix for Apple only\n"
        #expect(outcome.output.hasSuffix(figures))
        let data = try Data(contentsOf: URL(fileURLWithPath: json))
        let report = try #require(JSONSerialization.jsonObject(with: data) as? [String: Any])
        #expect((report["findings"] as? [Any])?.count == 2)
    }

    @Test func `a report may be written to a pipe`() async throws {
        let folder = try TestFolder()
        let path = try folder.write(Array("#EXTM3U\n".utf8), to: "index.m3u8")
        let outcome = try await Program.run("validate", path, "--quiet", "--json", "/dev/stdout")
        #expect(outcome.errors.isEmpty, "\(outcome.errors)")
        let report = try #require(JSONSerialization.jsonObject(with: Data(outcome.output.utf8)) as? [String: Any])
        #expect(report["findings"] is [Any])
    }

    @Test func `waivers are listed with their reasons, including unused ones`() async throws {
        let folder = try TestFolder()
        let text = "#EXTM3U\n#EXT-X-TARGETDURATION:1\n#EXTINF:0.5,\nnowhere.ts\n"
        let path = try folder.write(Array(text.utf8), to: "index.m3u8")
        let waivers = """
            waivers:
              - {rule: version-enough, reason: as old as the hills}
              - {rule: segment-readable, place: index.m3u8, reason: it is elsewhere}
              - {rule: sliver, reason: none left}
            """
        let file = try folder.write(Array(waivers.utf8), to: "mine.yaml")
        let outcome = try await Program.run("validate", path, "--profile", "rfc", "--waivers", file)
        #expect(outcome.status == 0)
        #expect(outcome.output.contains("line 3; as old as the hills\n"))
        #expect(outcome.output.contains("; it is elsewhere\n"))
        #expect(outcome.output.contains("waivers that match no finding:\n  sliver; none left\n"))
        let wrong = try folder.write(Array("waivers: [{rule: slivr, reason: r}]".utf8), to: "wrong.yaml")
        let refused = try await Program.run("validate", path, "--waivers", wrong)
        #expect(refused.status == 2)
        #expect(refused.errors.contains("wrong.yaml") && refused.errors.contains("sliver"))
    }
}
