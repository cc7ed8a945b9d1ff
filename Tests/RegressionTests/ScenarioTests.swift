import Harness
internal import Packager
import Regression
import Testing
import Timeline

@Suite struct `Scenario files` {
    @Test func `steps, needs and defaults are read`() throws {
        let scenario = try read(
            """
            name: s
            about: a
            platform: desktop
            needs: { sound: true, seconds: 5 }
            steps:
              - { do: open, rendition: background }
              - { do: play }
              - { do: hear, seconds: 20, share: 1/3 }
              - { do: seek, to: 1.5 }
            """
        )
        #expect(
            scenario.steps == [
                .open(.background), .play, .hear(seconds: Rational(20), share: Rational(1, 3)), .seek(Rational(3, 2)),
            ]
        )
        #expect(scenario.needs.sound)
        #expect(scenario.needs.seconds == Rational(5))
        #expect(scenario.think == .milliseconds(10))
        #expect(!scenario.hasBackground)
        #expect(scenario.renditions == [.background])
    }

    @Test(arguments: [
        ("steps: [{ do: paly }]", "did you mean play?"), ("steps: []", "at least one step"),
        ("steps: [{ do: hear, share: 2 }]", "share"), ("steps: [{ do: stay }]", "seconds: is missing"),
        ("steps: [{ do: play, to: 1 }]", "is not a key here"), ("steps: [{ do: seek, to: -1 }]", "negative"),
    ])
    func `a broken step is named`(steps: String, words: String) throws {
        let error = try #require(throws: HarnessError.self) { try read("name: s\nabout: a\nplatform: p\n\(steps)") }
        #expect(error.description.contains(words), "\(error)")
        #expect(error.line != nil)
    }

    private func read(_ text: String) throws -> Scenario {
        try Scenario(try HarnessFile.fields(of: text, file: "s.yaml"))
    }
}
