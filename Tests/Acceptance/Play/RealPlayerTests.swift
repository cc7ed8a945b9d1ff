import Foundation
import SegueTestSupport
import Testing

@Suite struct `Suite on a real player` {
    private static let film = "mp4/h264-aac-intra-only.mp4"

    /// A driver of a player that plays at once, reports its audio and no video, and has a recording.
    private static let driver = """
        import json, sys, time
        def say(**line): print(json.dumps(line), flush=True)
        say(driver=1, player="fake 1", clock=time.monotonic(), can=["open", "play", "pause"], recording=sys.argv[1])
        for line in sys.stdin:
            command = json.loads(line)
            say(id=command["id"])
            now = time.monotonic()
            if command["do"] == "open":
                say(t=now, kind="item.tracksKnown", item="item-1", hasVideo=True, hasAudio=True)
                say(t=now, kind="item.readyToPlay", item="item-1", duration=7)
            if command["do"] == "play":
                say(t=now, kind="player.timeControl", status="playing", waitingFor="")
                say(t=now, kind="sound.began", item="item-1", position=0)
                say(t=now, kind="picture.began", item="item-1", position=3)
            if command["do"] == "quit":
                break
        """

    private static let scenario = """
        name: plays
        about: It plays.
        platform: ios-15
        needs: {}
        steps:
          - { do: open }
          - { do: play, expect: { audible: true } }
        """

    /// A folder with only the film, made from its recipe of the program.
    private static func folder() async throws -> TestFolder {
        let source = Checkout.root.appending(path: "TestMedia/mp4.yaml")
        let blocks = try String(contentsOf: source, encoding: .utf8).split(separator: "\n\n")
        let recipe = try #require(blocks.first { $0.contains("- file: \(film)\n") })
        let recipes = try TestFolder()
        _ = try recipes.write(Array("recipes:\n\(recipe)\n".utf8), to: "one.yaml")
        let folder = try TestFolder()
        let outcome = try await Program.run("testmedia", folder.path, "--recipes", recipes.path)
        #expect(outcome.status == 0, "\(outcome.errors)")
        return folder
    }

    @Test func `compares a player's statements with its recording`() async throws {
        let folder = try await Self.folder()
        let script = try folder.write(Array(Self.driver.utf8), to: "driver.py")
        let scenario = try folder.write(Array(Self.scenario.utf8), to: "plays.yaml")
        let film = folder.file(Self.film)
        // The film itself is a perfect recording of it.
        let command = "fake=/usr/bin/env python3 \(script) \(film)"
        let json = folder.file("report.json")
        let run = folder.file("run")
        let outcome = try await Program.run(
            "regress",
            film,
            "--scenario",
            scenario,
            "--network",
            "wifi",
            "--player",
            command,
            "--json",
            json,
            "--run",
            run
        )
        let report = try String(contentsOfFile: json, encoding: .utf8)
        #expect(outcome.status == 1, "\(outcome.output)\(outcome.errors)")
        #expect(report.contains("picture.began item-1 at 3.000 s was reported by the player but not recorded"))
        #expect(!report.contains("sound.began item-1"))
        #expect(
            report.contains("\"platform\" : \"real-fake\"") && report.contains("0 dropped, 0 repeated, 7.0 s of audio")
        )
        // The run folder contains the case, and nothing is left to run.
        let again = try await Program.run("regress", "--resume", run)
        #expect(again.status == 1 && again.output.contains("real-fake"), "\(again.output)\(again.errors)")
    }
}
