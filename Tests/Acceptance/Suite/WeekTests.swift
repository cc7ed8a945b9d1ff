import Foundation
import SegueTestSupport
import Testing

@Suite struct `A week of tests` {
    @Test(.timeLimit(.minutes(5)))
    func `one command runs files, commands, and script on servers and clients, and counts what cannot be`() async throws
    {
        let folder = try TestFolder()
        let media = Checkout.path("Harness/commands")
        let made = try await Program.run("testmedia", folder.file("media"), "--recipes", media, "--quiet")
        try #require(made.status == 0, "\(made.errors)")
        let words = [
            "SEGUE=\(Program.path)", "timeout", "240", "python3", Checkout.path("Tools/run"), "week",
            "--media", folder.file("media"), "--variants", "2", "--network", "wifi",
            "--platform", "ios-3.1,ios-4.2", "--device", "iphone-3g,iphone-4", "--scenario", "play-through",
            "--output", folder.file("week"),
        ]
        let week = try await Program.run("env", words)
        #expect(week.status == 0, "\(week.output) \(week.errors)")
        for name in ["default", "no-workers"] {
            #expect(week.output.contains("  \(name): "), "\(week.output)")
        }
        #expect(week.output.components(separatedBy: " commands, 0 failed").count == 3, "\(week.output)")
        #expect(week.output.contains("iphone-4 never ran iOS 3.1, only iOS 4.0 to 7.1.2"), "\(week.output)")
        #expect(week.output.contains("ios-4.2 iphone-4 switch-when-ready"), "\(week.output)")
        let report = try Data(contentsOf: URL(filePath: folder.file("week/run/report.json")))
        let read = try #require(try JSONSerialization.jsonObject(with: report) as? [String: Any])
        let cases = try #require(read["cases"] as? [[String: Any]])
        // Five files on two servers; ios-3.1 with one app on one device, and ios-4.2 with both on both.
        #expect(cases.count == 5 * 2 * 5)
        #expect(Set(cases.compactMap { $0["device"] as? String }) == ["iphone-3g", "iphone-4"])
        #expect(FileManager.default.fileExists(atPath: folder.file("week/run/report.html")))
    }
}
