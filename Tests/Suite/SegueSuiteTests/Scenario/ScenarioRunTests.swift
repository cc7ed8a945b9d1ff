import Foundation
import SegueBase
import SegueData
import SegueEvents
import SegueFetch
import SegueNetworkModel
import SeguePlayerModel
import SegueTestSupport
import Testing

@testable import SegueSuite

/// Scenarios over an in-memory stream, in virtual time.
@Suite struct `Scenario runs` {
    private static let line = LinkProfile(
        name: "line",
        down: LinkProfile.Direction(bitsPerSecond: 8_000_000, delay: .milliseconds(10)),
        up: LinkProfile.Direction(bitsPerSecond: 8_000_000, delay: .milliseconds(10))
    )

    private static let open = "  - { do: open }\n  - { do: play }\n"

    @Test func `a position is awaited without polling`() throws {
        let run = try run("steps:\n\(Self.open)  - { at: duration / 4, do: pause, expect: { position: 15 } }")
        #expect(run.finding == nil)
        let began = try #require(run.time(of: "pause, expect position 15"))
        let audio = try #require(run.run.log.events.first { $0.kind.record.name == "sound.began" }?.at)
        #expect(began - audio == .seconds(15))
    }

    @Test func `events since the previous step are awaited in order`() throws {
        let run = try run(
            """
            steps:
              - { do: open }
              - { on: item.loading }
              - { on: { kind: segment.loaded, number: 2 }, within: 5 }
              - { do: seek, to: 33 }
              - { on: { kind: seek.ended, isFinished: true, position: 33 }, expect: { position: 33 } }
            """
        )
        #expect(run.finding == nil)
    }

    @Test(arguments: [
        (
            "  - { on: item.stalled, within: 3 }",
            "step 3 of 3 (on item.stalled), s.yaml:7: timed out after 3 s waiting for the event item.stalled"
        ),
        (
            "  - { after: 4, expect: { position: 20 +- 0.5 } }",
            "step 3 of 3 (after 4 s, expect position 20 +- 0.5), s.yaml:7: expected position 20 +- 0.5, found 3."
        ),
        (
            "  - { do: pause, expect: { time-control: [playing, waiting] } }",
            "s.yaml:7: expected time-control playing or waiting, found paused"
        ),
        ("  - { expect: { status: failed }, within: 2 }", "within 2 s: expected status failed, found readyToPlay"),
        (
            "  - { after: 1, expect: { any: [{ queue: 2 }, { not: { item: 1 } }] } }",
            "expected queue 2, found 1; nor: expected not (item 1), found that it holds"
        ),
        ("  - { do: seek, to: 9 / 0 }", "9 / 0 has no value at this time"),
        (
            "  - { when: { status: readyToPlay } }\n  - { do: rate, to: duration * 2 }",
            "duration * 2 is 120, must be 0 or a rate from 0.01 to 100"
        ),
        (
            "  - { do: pause }\n  - { repeat: 1000, steps: [{ do: stay, seconds: (queue + 1) * 999999 }] }",
            "the run exceeded the limit of 1000000000 s"
        ),
        (
            "  - { after: 1, expect: { events: { kind: item.stalled } } }",
            "expected the number of item.stalled > 0, found 0"
        ),
    ])
    func `a failed step is reported with the actual value`(step: String, words: String) throws {
        let run = try run("steps:\n\(Self.open)\(step)")
        #expect(run.finding?.rule == "step-failed")
        #expect(run.finding?.message.text.contains(words) == true, "\(run.finding?.message.text ?? "nothing")")
    }

    @Test func `expressions of steps may have any value`() throws {
        let run = try run(
            """
            steps:
            \(Self.open)
              - { at: 1, do: peak-bitrate, to: position - 99999999999999999999 }
              - { do: peak-bitrate, to: position + 99999999999999999999 }
              - { do: rate, to: 0.01 }
              - { do: hear, seconds: 0.5, share: (position + 9) * 99999999999999999999 }
              - { do: rate, to: 100 }
              - { do: hear, share: (position + 9) * 99999999999999999999 }
            """
        )
        #expect(run.finding == nil)
    }

    @Test func `values are stored, and definitions evaluated on use`() throws {
        let run = try run(
            """
            let: { third: duration / 3, next: third + 6 }
            steps:
              - { do: open }
              - { when: { status: readyToPlay } }
              - { do: seek, to: third, label: jump }
              - { expect: { position: third }, within: 5 }
              - { let: { was: position }, expect: { position: 20 } }
              - { do: play }
              - { at: next, expect: { position: was + 6, heard: 6 } }
              - expect: { events: { kind: seek.ended, count: "1", since: jump } }
            """
        )
        #expect(run.finding == nil)
    }

    @Test func `tracks run in parallel and exchange messages`() throws {
        let run = try run(
            """
            steps:
              - { do: open }
              - { do: play }
              - { at: 6, send: half }
              - { message: done, expect: { rate: 2 }, within: 20 }
            tracks:
              - name: other
                steps:
                  - { message: half, do: rate, to: 2 }
                  - { after: 3, send: done }
            """
        )
        #expect(run.finding == nil)
        let half = try #require(run.time(of: "other: on the message half, rate 2"))
        let done = try #require(run.time(of: "on the message done, expect rate 2"))
        #expect(done - half == .seconds(3))
    }

    @Test(arguments: ["none.yaml", "{ name: none, down: { rate: 1 kbit/s }, up: {} }"])
    func `the network changes during the run`(network: String) throws {
        let run = try run(
            """
            steps:
              - { do: open }
              - { do: play }
              - { on: { kind: segment.loaded, number: 1 }, network: \(network) }
              - { on: item.stalled, within: 20, expect: { stalls: 1, position: 12 } }
            """
        )
        #expect(run.finding == nil)
    }

    @Test func `requests fail until the fault is removed`() throws {
        let run = try run(
            """
            steps:
              - fault: { kind: segment, status: 503 }
              - { do: open }
              - { expect: { errors: 2, http-status: 503, status: unknown }, within: 10 }
              - { do: mend }
              - { when: { status: readyToPlay }, within: 5 }
            """
        )
        #expect(run.finding == nil)
    }

    @Test func `a missing item is opened and fails`() throws {
        let run = try run(
            """
            steps:
              - { do: open, url: nothing.m3u8 }
              - { on: item.failed, expect: { status: failed, code: 404, error: HTTP } }
            """
        )
        #expect(run.finding == nil)
    }

    /// A run with its results.
    private struct Ran {
        let run: ScenarioRun
        let finding: Finding?

        func time(of step: String) -> Instant? {
            run.log.events.first {
                if case .stepBegan(_, let words) = $0.kind { words.hasSuffix(step) } else { false }
            }?.at
        }
    }

    @Test func `the silent switch and other apps are acts`() throws {
        let steps = """
            steps:
            \(Self.open)  - { after: 5, do: silent-switch, is: on, expect: { audible: false, time-control: playing } }
              - { do: silent-switch, is: off, expect: { audible: true } }
              - { do: other-audio, is: on, expect: { held: true, audible: false } }
              - { after: 5, do: other-audio, is: off, resume: true, expect: { audible: true } }
              - { do: other-audio, is: on, mixes: true, expect: { audible: true } }
            """
        let ambient = AppDeclarations(session: AudioSessionSettings(category: .soloAmbient))
        #expect(try run(steps, platform: "ios-12.2", declaring: ambient).finding == nil)
        let finding = try #require(try run(steps, platform: "ios-12.2", declaring: AppDeclarations()).finding)
        #expect(finding.message.text.hasSuffix("expected not audible, found audible"), "\(finding.message)")
    }

    @Test func `a step that fails because of a declaration names it`() throws {
        let steps = "steps:\n\(Self.open)  - { after: 5, do: background }\n  - { after: 5, expect: { audible: true } }"
        let missing = AppDeclarations(backgroundModes: [])
        let finding = try #require(try run(steps, platform: "ios-12.2", declaring: missing).finding)
        #expect(finding.rule == "step-failed")
        #expect(
            finding.message.text.hasSuffix(
                "; background-modes lacks audio: add it to the app (UIBackgroundModes in Info.plist)"
            ),
            "\(finding.message)"
        )
        #expect(try run(steps, platform: "ios-12.2", declaring: AppDeclarations()).finding == nil)
    }

    private func run(
        _ rest: String,
        platform: String = "desktop",
        declaring declarations: AppDeclarations? = nil
    ) throws -> Ran {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("segue-\(UUID().uuidString)").path
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let nothing = "name: none\ndown: { rate: 1 kbit/s }\nup: {}\n"
        try nothing.write(toFile: folder + "/none.yaml", atomically: true, encoding: .utf8)
        try "name: s\nabout: a\nplatform: desktop\n\(rest)".write(
            toFile: folder + "/s.yaml",
            atomically: true,
            encoding: .utf8
        )
        let harness = Checkout.path("Harness")
        let app = try declarations.map { declarations in
            try AppProfile(contentsOfFile: harness + "/apps/switch-if-rate.yaml").declaring(declarations)
        }
        let setup = ScenarioRun.Setup(
            scenario: try Scenario(fileAt: folder + "/s.yaml"),
            items: [ItemAddress(full: MemoryStream.url, background: MemoryStream.url + "?background=1")],
            platform: try PlatformProfile(contentsOfFile: harness + "/platforms/\(platform).yaml"),
            app: app,
            seed: 1
        )
        let run = ScenarioRun(setup, network: Self.line, respond: MemoryStream().respond)
        return Ran(run: run, finding: run.run())
    }
}
