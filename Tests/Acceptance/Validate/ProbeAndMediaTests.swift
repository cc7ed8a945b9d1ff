import Foundation
import SegueTestSupport
import Testing

@Suite struct `Probe and test media` {
    @Test func `test media are created once`() async throws {
        #expect(try await AcceptanceMedia.outcome.status == 0)
        #expect(try await AcceptanceMedia.outcome.output.contains("2 files created"))
        let recipes = try TestFolder()
        _ = try recipes.write(Array(AcceptanceMedia.recipes.utf8), to: "acceptance.yaml")
        let again = try await Program.run(
            "testmedia",
            try await AcceptanceMedia.folder.path,
            "--recipes",
            recipes.path
        )
        #expect(again.output.contains("0 files created") && again.output.contains("2 already existed"))
    }

    @Test func `probe shows the treatment of each stream`() async throws {
        let film = try await AcceptanceMedia.folder.file("film.mp4")
        let folder = try TestFolder()
        let outcome = try await Program.run("probe", film, "--json", folder.file("probe.json"))
        #expect(outcome.status == 0)
        #expect(outcome.output.contains("stream 0: video, h264, 128x96, 12.0 frames/s"))
        #expect(outcome.output.contains("background in fmp4 (preferred): stream 1 copied (mp4a.40.2); "))
        let json = try Data(contentsOf: URL(fileURLWithPath: folder.file("probe.json")))
        let probes = try #require(JSONSerialization.jsonObject(with: json) as? [[String: Any]])
        // The last audio frame ends slightly after the video.
        let duration = try #require(probes[0]["durationSeconds"] as? Double)
        #expect((60..<60.03).contains(duration))
    }

    @Test func `probe explains the streams for a device`() async throws {
        let film = try await AcceptanceMedia.folder.file("film.mp4")
        let shipped = Checkout.root.appendingPathComponent("Harness/devices/iphone-3g.yaml")
        let text = try String(contentsOf: shipped, encoding: .utf8)
            .replacing("name: iphone-3g", with: "name: watch").replacing("640x480", with: "64x48")
        let folder = try TestFolder()
        let watch = try folder.write(Array(text.utf8), to: "watch.yaml")
        let outcome = try await Program.run("probe", film, "--device", "\(watch),vlc")
        #expect(outcome.status == 0)
        #expect(outcome.output.contains("for watch:"))
        #expect(outcome.output.contains("full in ts (preferred): stream 0 transcoded (avc1.42"))
        #expect(outcome.output.contains("iPhone 3G supports H.264 up to 64x48 pixels; the stream has 128x96"))
        #expect(outcome.output.contains("full in fmp4 (preferred): stream 0 copied"))
        let unknown = try await Program.run("probe", film, "--device", "iphone3g")
        #expect(unknown.status == 2 && unknown.errors.contains("did you mean iphone-3g?"))
    }

    @Test func `probe of a file without media exits with 1 and the reason`() async throws {
        let folder = try TestFolder()
        let text = try folder.write(Array("no media\n".utf8), to: "text.txt")
        let outcome = try await Program.run("probe", text)
        #expect(outcome.status == 1)
        #expect(outcome.errorLines.count == 1)
        #expect(outcome.errors.contains("text.txt"))
    }
}
