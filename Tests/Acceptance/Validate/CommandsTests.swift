import Foundation
import SegueTestSupport
import Testing

@Suite struct `segue commands` {
    @Test func `all commands pass on a temporary server`() async throws {
        let folder = try TestFolder()
        let run = try await Program.run(
            "commands",
            "--json",
            folder.file("all.json"),
            "--junit",
            folder.file("all.xml")
        )
        #expect(run.status == 0, "\(run.output)")
        #expect(run.output.contains(" commands, 0 failed, in "))
        let json = try JSONSerialization.jsonObject(
            with: Data(contentsOf: URL(fileURLWithPath: folder.file("all.json")))
        )
        let commands = try #require((json as? [String: Any])?["commands"] as? [[String: Any]])
        #expect(Set(commands.compactMap { $0["route"] as? String }).count >= 11)
        #expect(commands.allSatisfy { ($0["expected"] as? [String])?.isEmpty == false })
        let xml = try String(contentsOfFile: folder.file("all.xml"), encoding: .utf8)
        #expect(xml.contains("tests=\"\(commands.count)\" failures=\"0\""))
    }

    @Test func `an unreachable server is one line`() async throws {
        let run = try await Program.run("commands", "http://127.0.0.1:9/")
        #expect(run.status == 2)
        #expect(run.errors.split(separator: "\n").count == 1 && run.errors.hasPrefix("segue: http://127.0.0.1:9/: "))
    }
}
