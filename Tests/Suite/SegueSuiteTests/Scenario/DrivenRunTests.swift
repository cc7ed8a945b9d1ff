import Foundation
import SegueBase
import SegueData
import SegueEvents
import SegueNetworkModel
import SeguePlayerModel
import SegueTestSupport
import Testing

@testable import SegueSuite

@Suite struct `A run on a real player` {
    private static let item = ItemAddress(full: "http://127.0.0.1:1/items/a/index.m3u8")

    /// The messages of a player that plays at once.
    @Sendable private static func obedient(_ command: FakeDriver.Command) -> [String] {
        switch command.do {
        case "open":
            [
                #"{"t":0.001,"kind":"item.tracksKnown","item":"item-1","hasVideo":true,"hasAudio":true}"#,
                #"{"t":0.002,"kind":"item.readyToPlay","item":"item-1","duration":60}"#,
            ]
        case "play":
            [
                #"{"t":0.003,"kind":"player.timeControl","status":"playing","waitingFor":""}"#,
                #"{"t":0.003,"kind":"sound.began","item":"item-1","position":0}"#,
            ]
        case "seek": [#"{"t":0.004,"kind":"item.timeJumped","item":"item-1","position":\#(command.to ?? -1)}"#]
        case "pause":
            [
                #"{"t":0.005,"kind":"player.timeControl","status":"paused","waitingFor":""}"#,
                #"{"t":0.005,"kind":"sound.ended","item":"item-1","position":30,"reason":"paused"}"#,
            ]
        default: []
        }
    }

    private static func scenario(_ steps: String, within: Int = 10) throws -> Scenario {
        let text = "name: s\nabout: A script.\nplatform: ios-15\nneeds: {}\nwithin: \(within)\nsteps:\n\(steps)"
        return try Scenario(HarnessFile.fields(of: text, file: "s.yaml"))
    }

    private static func run(_ driver: FakeDriver, _ steps: String, within: Int = 10) throws -> (DrivenRun, Finding?) {
        let run = DrivenRun(try scenario(steps, within: within))
        let finding = run.run(on: PlayerStage(driver: driver, items: [item]) { _ in nil })
        return (run, finding)
    }

    private static func kinds(_ run: DrivenRun) -> [String] { run.log.events.map(\.kind.record.name) }

    @Test func `follows the script, and logs both sides`() throws {
        let driver = FakeDriver(answer: Self.obedient)
        let (run, finding) = try Self.run(
            driver,
            """
              - { do: open }
              - { expect: { status: readyToPlay, duration: 60 } }
              - { do: play, expect: { time-control: playing, audible: true } }
              - { do: seek, to: duration / 2, expect: { position: 30 } }
              - { do: pause, expect: { rate: 0, time-control: paused, position: 30 } }
            """
        )
        #expect(finding == nil)
        #expect(driver.sent.map(\.do) == ["open", "play", "seek", "pause"])
        #expect(driver.sent[0].items == [FakeDriver.Command.Item(item: "item-1", url: Self.item.full)])
        #expect(driver.sent[2].to == 30 && driver.hasEnded)
        #expect(
            Self.kinds(run).filter { !$0.hasPrefix("step.") } == [
                "player.command", "queue.inserted", "queue.current", "item.tracksKnown", "item.readyToPlay",
                "player.command", "player.timeControl", "sound.began", "player.command", "item.timeJumped",
                "player.command", "player.timeControl", "sound.ended", "case.ended",
            ]
        )
        #expect(run.metrics.startup != nil && run.stepsDone == 5)
    }

    @Test func `keeps what the driver sent before it handled the end`() throws {
        let stalled = { (position: Int) in
            #"{"t":99,"kind":"item.stalled","item":"item-1","position":\#(position)}"#
        }
        let driver = FakeDriver(answer: Self.obedient, last: [stalled(1), #"{"id":0}"#, stalled(2)])
        let (run, finding) = try Self.run(driver, "  - { do: open }\n  - { do: play, expect: { audible: true } }")
        #expect(finding == nil)
        #expect(Self.kinds(run).suffix(2) == ["item.stalled", "case.ended"])
        #expect(Self.kinds(run).count { $0 == "item.stalled" } == 1)
        let end = try #require(run.log.events.last)
        #expect(run.log.events.allSatisfy { $0.at <= end.at })
    }

    @Test func `uses the driver's clock from its first line`() throws {
        // The driver's clock starts at the moment of its first message, an hour in this case.
        let hello = FakeDriver.hello.replacing("\"clock\":0", with: "\"clock\":3600")
        let driver = FakeDriver(first: [hello]) { command in
            command.do == "open" ? [#"{"t":3600,"kind":"item.readyToPlay","item":"item-1","duration":9}"#] : []
        }
        let (run, finding) = try Self.run(driver, "  - { do: open, expect: { status: readyToPlay } }")
        let ready = try #require(run.log.events.first { $0.kind.record.name == "item.readyToPlay" })
        let end = try #require(run.log.events.last)
        #expect(finding == nil && ready.at <= end.at)
    }

    @Test(arguments: [
        ([""], "the driver ended: it fell over"),
        (["hello"], "a line is not a JSON object: hello"),
        ([#"{"driver":2,"player":"x","clock":0}"#], "the driver speaks protocol version 2, expected 1"),
        ([#"{"driver":1,"player":"x"}"#], "the driver's first line lacks the player or the clock"),
        (
            [#"{"t":1,"kind":"item.stalled","item":"item-1","position":0}"#],
            "the driver's first line is not a hello"
        ),
        ([FakeDriver.hello, FakeDriver.hello], "the driver sent a second hello line"),
        (
            [FakeDriver.hello, #"{"t":1,"kind":"item.stalled","item":"item-1"}"#],
            #"a line is item.stalled without position; segue events lists the fields of each kind: {"t":1,"kind":"item.stalled","item":"item-1"}"#
        ),
    ])
    func `ends with a driver that violates the protocol`(lines: [String], reason: String) throws {
        let (_, finding) = try Self.run(FakeDriver(first: lines), "  - { do: open }\n  - { do: stay, seconds: 100 }")
        #expect(finding?.rule == "driver-failed" && finding?.message.text == reason)
    }

    @Test func `fails a step that the player refuses`() throws {
        let (run, finding) = try Self.run(FakeDriver { _ in ["refuse"] }, "  - { do: open }\n  - { do: play }")
        #expect(finding?.rule == "step-failed" && finding?.message.text == "the player cannot open: it is stuck")
        #expect(Self.kinds(run).last == "case.ended")
    }

    @Test func `waits no longer than the time limit of a step`() throws {
        let (run, finding) = try Self.run(FakeDriver(), "  - { when: { status: readyToPlay }, within: 0.01 }")
        #expect(finding == nil)
        let message = run.missed.first?.message.text
        #expect(message?.contains("timed out after 0.01 s waiting for status readyToPlay") == true)
    }

    @Test func `continues after a failed step, and reports it`() throws {
        let driver = FakeDriver(answer: Self.obedient)
        let (run, finding) = try Self.run(
            driver,
            """
              - { do: open }
              - { expect: { duration: 61 }, within: 0.01 }
              - { do: play, expect: { time-control: playing } }
            """
        )
        #expect(finding == nil && driver.sent.map(\.do) == ["open", "play"] && run.stepsDone == 3)
        #expect(run.missed.map(\.rule) == ["step-failed"])
        #expect(
            run.missed[0].message.text.contains("step 2 of 3 (expect duration 61), s.yaml:8: within 0.01 s: expected")
        )
    }

    @Test func `ends after too many failed steps`() throws {
        let steps = (0..<25).map { _ in "  - { expect: { status: readyToPlay }, within: 0.001 }" }
        let (run, finding) = try Self.run(FakeDriver(), steps.joined(separator: "\n"))
        #expect(run.missed.count == 20)
        #expect(finding?.message.text == "20 steps failed; the rest is not run")
    }

    @Test func `leaves out a file with an unsupported step`() throws {
        let scenario = try Self.scenario("  - { do: open }\n  - { do: insert, items: 1, behind: current }")
        let hello = DriverHello(player: "fake 1", clock: 0, can: ["open"], tells: [])
        let part = DrivenScenario(scenario, hello)
        #expect(part.isEmpty && part.omissions == ["s.yaml: fake 1 does not support insert"])
        let (_, finding) = try Self.run(FakeDriver(), "  - { do: open }\n  - { do: insert, items: 1, behind: current }")
        #expect(finding?.rule == "not-driven")
    }

    @Test func `numbers the remaining steps, and opens the item of an omitted part`() throws {
        let folder = try TestFolder()
        let write = { (name: String, steps: String) in
            try folder.write(Array("about: A part.\nsteps:\n\(steps)\n".utf8), to: name)
        }
        _ = try write("first.yaml", "  - { do: open }\n  - { do: insert, items: 1, behind: current }")
        _ = try write("second.yaml", "  - { do: play, expect: { time-control: playing } }")
        let text =
            "name: s\nabout: A script.\nplatform: ios-15\nneeds: {}\nsteps:\n"
            + "  - include: first.yaml\n  - include: second.yaml"
        let path = try folder.write(Array(text.utf8), to: "s.yaml")
        let driver = FakeDriver(answer: Self.obedient)
        let run = DrivenRun(try Scenario(fileAt: path))
        let finding = run.run(on: PlayerStage(driver: driver, items: [Self.item]) { _ in nil })
        #expect(finding == nil && driver.sent.map(\.do) == ["open", "play"])
        #expect(run.omissions == ["first.yaml: fake 1 does not support insert"])
        let numbers = run.log.events.compactMap { event in
            if case .stepBegan(let number, _) = event.kind { number } else { nil }
        }
        #expect(numbers == [1, 2, 3])
    }
}
