import Foundation
import SegueBase
import SegueData
import SegueEvents
internal import SeguePackager
import SegueTestSupport
import Testing

@testable import SegueSuite

@Suite struct `Scenario files` {
    @Test func `steps, needs and defaults are read`() throws {
        let scenario = try read(
            """
            needs: { sound: true, seconds: 5, seekable: true, items: 2 }
            steps:
              - { do: open, rendition: background }
              - { do: play }
              - { do: hear, seconds: 20, share: 1/3 }
              - { do: seek, to: 1.5 }
            """
        )
        let words = scenario.steps.map(\.description)
        #expect(words == ["open background", "play", "hear 20 s or 1/3 of the item", "seek to 1.5 s"])
        #expect(scenario.steps.map(\.number) == [1, 2, 3, 4])
        #expect(scenario.steps[3].place == "s.yaml:9")
        #expect(scenario.needs == Scenario.Needs(audio: true, seconds: Rational(5), seekable: true, items: 2))
        #expect(scenario.think == .milliseconds(10))
        #expect(scenario.within == .seconds(60))
        #expect(!scenario.hasBackground)
        #expect(scenario.renditions == [.background])
    }

    @Test func `repeats count, and every step keeps its place`() throws {
        let scenario = try read(
            """
            steps:
              - repeat: 2
                as: i
                steps:
                  - { do: seek, to: i * 3 }
                  - repeat: i
                    steps: [{ expect: { position: i * 3 } }]
            """
        )
        #expect(
            scenario.steps.map(\.description) == [
                "seek to i * 3 s (i 1)", "expect position i * 3 (i 1)", "seek to i * 3 s (i 2)",
                "expect position i * 3 (i 2)", "expect position i * 3 (i 2)",
            ]
        )
        #expect(scenario.steps.map(\.place) == [8, 10, 8, 10, 10].map { "s.yaml:\($0)" })
    }

    @Test(arguments: [
        ("steps: [{ do: paly }]", "did you mean play?"), ("steps: []", "at least one step"),
        ("steps: [{ do: hear, share: 2 }]", "share"), ("steps: [{ do: stay }]", "seconds: is missing"),
        ("steps: [{ do: play, to: 1 }]", "is not a key here"), ("steps: [{ do: seek, to: -1 }]", "negative"),
        ("steps: [{ expcet: { rate: 1 } }]", "did you mean expect?"), ("steps: [{ within: 1 }]", "do: is missing"),
        ("steps: [{ do: seek, to: duratoin / 2 }]", "did you mean duration?"),
        ("steps: [{ do: seek, to: 1 + }]", "a value is missing"), ("steps: [{ do: seek, to: (1 }]", "not closed"),
        ("steps: [{ do: seek, to: maxi(1) }]", "did you mean max?"),
        ("steps: [{ on: item.staled }]", "did you mean item.stalled?"),
        ("steps: [{ on: { kind: item.stalled, itme: a } }]", "did you mean item?"),
        ("steps: [{ expect: { status: raedyToPlay } }]", "did you mean readyToPlay?"),
        ("steps: [{ expect: { phase: didEnterBakground } }]", "did you mean didEnterBackground?"),
        ("steps: [{ expect: { waiting-for: noItem } }]", "did you mean noItemToPlay?"),
        ("steps: [{ on: { kind: item.stalled, level: error } }]", "but such events have"),
        ("steps: [{ on: {} }]", "does not restrict the event"),
        ("steps: [{ network: { name: a, down: { delya: 1 ms } } }]", "did you mean delay?"),
        ("steps: [{ network: none.yaml }]", "there is no such network file"),
        ("steps: [{ expect: { tempo: 1 } }]", "is not a key here"), ("steps: [{ expect: {} }]", "no condition"),
        ("steps: [{ expect: { events: { kind: item.stalled, since: here } } }]", "since"),
        ("steps: [{ at: 1, on: item.stalled }]", "write two steps"), ("steps: [{ message: go }]", "no step sends go"),
        ("steps: [{ send: gone }, { message: go }]", "did you mean gone?"),
        ("steps: [{ let: { position: 1 } }]", "is already in use"), ("steps: [{ network: 3g }]", "network"),
        ("steps: [{ fault: { kind: segment } }]", "must have one of"),
        ("steps: [{ do: insert, behind: first }]", "behind"),
        ("steps: [{ repeat: 0, steps: [{ do: play }] }]", "repeat"),
        ("steps: [{ repeat: 900, steps: [{ repeat: 900, steps: [{ do: play }] }] }]", "more than 10000 steps"),
        ("steps: [{ do: rate, to: 99999999999999999999 }]", "must be 0 or a rate from 0.01 to 100"),
        ("steps: [{ do: default-rate, to: 0.0000000001 }]", "must be 0 or a rate from 0.01 to 100"),
        ("think: 10000000000\nsteps: [{ do: play }]", "think: must be at most 1000000 seconds"),
        ("within: 10000000000\nsteps: [{ do: play }]", "within: must be at most 1000000 seconds"),
        ("steps: [{ do: play, within: 1000001 }]", "within: must be at most 1000000 seconds"),
        ("steps: [{ do: stay, seconds: 1000000000 }]", "seconds: must be at most 1000000 seconds"),
        ("steps: [{ do: hear, seconds: 1000000000 }]", "seconds: must be at most 1000000 seconds"),
        ("steps: [{ after: 1000000000, do: play }]", "after: must be at most 1000000 seconds"),
        ("steps: [{ include: none.yaml }]", "no such file"), ("within: 0\nsteps: [{ do: play }]", "above 0"),
    ])
    func `an invalid step is reported`(steps: String, words: String) throws {
        let error = try #require(throws: HarnessError.self) { try read(steps) }
        #expect(error.description.contains(words), "\(error)")
        #expect(error.file == "s.yaml")
        #expect(error.line != nil)
    }

    @Test func `files include others beside them, but never themselves`() throws {
        let folder = try TestFolder()
        try FileManager.default.createDirectory(atPath: folder.file("parts"), withIntermediateDirectories: true)
        func write(_ text: String, _ name: String) throws { _ = try folder.write(Array(text.utf8), to: name) }
        let head = "name: s\nabout: a\nplatform: p\n"
        try write(head + "steps: [{ include: parts/a.yaml }, { do: pause }]", "s.yaml")
        try write("about: a part\nsteps:\n  - { do: play }\n  - { include: ../b.yaml }", "parts/a.yaml")
        try write("steps: [{ do: advance }]", "b.yaml")
        let scenario = try Scenario(fileAt: folder.path + "/s.yaml")
        #expect(scenario.steps.map(\.description) == ["play", "advance", "pause"])
        #expect(scenario.steps.map(\.place) == ["parts/a.yaml:3", "b.yaml:1", "s.yaml:4"])

        try write("steps: [{ include: parts/a.yaml }]", "b.yaml")
        let error = try #require(throws: HarnessError.self) { try Scenario(fileAt: folder.path + "/s.yaml") }
        #expect(error.message.contains("includes itself: a.yaml -> b.yaml -> a.yaml"), "\(error)")
    }

    @Test func `names are resolved in the data folder`() throws {
        let folder = try TestFolder()
        for name in ["platforms", "rules", "networks"] {
            try FileManager.default.createDirectory(atPath: folder.file(name), withIntermediateDirectories: true)
        }
        func write(_ text: String, _ name: String) throws { _ = try folder.write(Array(text.utf8), to: name) }
        try write("", "platforms/ios-15.yaml")
        try write("rules: [{ id: quiet, about: x, forbid: { level: error } }]", "rules/own.yaml")
        try write("name: slow\ndown: { rate: 1 Mbit/s }\nup: { rate: 1 Mbit/s }\n", "networks/slow.yaml")
        let data = HarnessFolder(path: folder.path)
        func scenario(_ rest: String) throws -> Scenario {
            try Scenario(HarnessFile.fields(of: "name: s\nabout: a\n\(rest)", file: "s.yaml"), in: data)
        }
        let steps = "steps: [{ do: play }]"
        let rules = "without-rules: [quiet, unexpected-error]"
        #expect(try scenario("platform: ios-15\n\(rules)\n\(steps)").platform == "ios-15")
        #expect(try scenario("steps: [{ network: slow }]").steps.map(\.description) == ["network slow"])
        for (rest, words) in [
            ("platform: ios-51\n\(steps)", "s.yaml:3: platform: ios-51 is unknown; did you mean ios-15?"),
            ("without-rules: [quite]\n\(steps)", "s.yaml:3: without-rules: quite is unknown; did you mean quiet?"),
            ("steps: [{ network: slwo }]", "s.yaml:3: steps[0].network: slwo is unknown; did you mean slow?"),
        ] {
            let error = try #require(throws: HarnessError.self) { try scenario(rest) }
            #expect(error.description.hasPrefix(words), "\(error)")
        }
    }

    @Test func `a scenario need not name a platform where the run does`() throws {
        let fields = try HarnessFile.fields(of: "name: s\nabout: a\nsteps: [{ do: play }]", file: "s.yaml")
        let scenario = try Scenario(fields)
        #expect(try scenario.platform(or: "desktop") == "desktop")
        let error = try #require(throws: HarnessError.self) { try scenario.platform(or: nil) }
        #expect(error.description == "s: platform: is missing; name one in the scenario, or with --platform")
        #expect(try read("steps: [{ do: play }]").platform(or: nil) == "p")
        #expect(try read("steps: [{ do: play }]").platform(or: "desktop") == "desktop")
    }

    @Test(arguments: [
        ("12", 12.0), ("-1.5", -1.5), ("1 + 2 * 3", 7), ("(1 + 2) * 3", 9), ("10 - 4 - 3", 3), ("8 / 4 / 2", 1),
        ("min(20, duration - 5)", 15), ("max(1, 2, 3)", 3), ("floor(7 / 2)", 3), ("round(2.5)", 3), ("abs(2 - 5)", 3),
        ("--2", 2), ("duration / 0", nil), ("unknown", nil),
    ])
    func `expressions follow the usual precedence`(text: String, value: Double?) throws {
        let expression = try SegueEvents.Expression(text, names: ["duration", "unknown"])
        #expect(expression.value { $0 == "duration" ? 20 : nil } == value)
    }

    @Test(arguments: [
        ("20", 20.0005, true), ("20", 20.01, false), ("20 +- 0.5", 20.5, true), ("20 +- 0.5", 20.6, false),
        (">= 5", 5, true), ("> 5", 5, false), ("<= duration - 1", 19, true), ("!= 0", 0, false), ("< 3", 2.9, true),
    ])
    func `comparisons are evaluated`(text: String, found: Double, holds: Bool) throws {
        let comparison = try Comparison(text, names: ["duration"])
        #expect(comparison.holds(found) { _ in 20 } == holds)
    }

    private func read(_ rest: String) throws -> Scenario {
        try Scenario(try HarnessFile.fields(of: "name: s\nabout: a\nplatform: p\n\(rest)", file: "s.yaml"))
    }
}
