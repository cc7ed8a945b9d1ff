import Foundation
import Harness
import Testing
import Timeline

@testable import Player

@Suite struct `Data files` {
    @Test func `every shipped platform loads under its own name with a source for each field`() throws {
        let names = try Shipped.names(in: "platforms")
        #expect(Set(names).isSuperset(of: ["desktop", "ios-4.2", "ios-4.3"]))
        for name in names {
            let profile = try Shipped.platform(name)
            #expect(profile.name == name)
            #expect(profile.sources.count == 32)
            #expect(profile.sources.values.allSatisfy { $0.count > 5 })
        }
    }

    @Test func `every shipped app policy loads under its own name with a source for each field`() throws {
        let names = try Shipped.names(in: "apps")
        #expect(Set(names).isSuperset(of: ["switch-if-was-playing", "switch-when-ready"]))
        for name in names {
            let profile = try Shipped.app(name)
            #expect(profile.name == name)
            #expect(profile.sources.count == 7)
        }
    }

    @Test(arguments: [
        ("latency: {", "latencey: {", "service.latencey", "did you mean latency?"),
        ("latency: { value: 500 ms", "latency: { value: 500", "service.latency.value", "must be a duration such as"),
        (
            "value: believe-former", "value: believe-formr", "service.unknown-tracks.value",
            "did you mean believe-former?"
        ),
        (
            "{ value: zero, source:", "{ value: zero, sauce:", "background.rate-after-pause.sauce",
            "did you mean source?"
        ),
        ("retries: { value: 3", "retries: { value: -1", "loading.retries.value", "must be a whole number"),
        (
            "waits-to-minimize-stalls: { value: true", "waits-to-minimize-stalls: { value: perhaps",
            "playback.waits-to-minimize-stalls.value", "must be true or false"
        ),
        ("name: ios-4.3", "nom: ios-4.3", "nom", "did you mean name?"),
        ("service:", "extra: 1\nservice:", "extra", "is not a key here"),
        ("value: 1.1", "value: 0", "loading.keep-up-margin.value", "must be above 0"),
        ("buffer-resume: { value: 30 s", "buffer-resume: { value: 50 s", "loading.buffer-resume", "must be less than"),
        ("value: [movie-player, queue-player]", "value: queue-player", "players.value", "must be a list of texts"),
    ])
    func `a mistake is named with file, line and key`(
        right: String,
        wrong: String,
        key: String,
        reason: String
    ) throws {
        let text = try Shipped.text("platforms/ios-4.3.yaml")
        let broken = text.replacing(right, with: wrong, maxReplacements: 1)
        try #require(broken != text)
        let line = 1 + broken.prefix(upTo: try #require(broken.range(of: wrong)?.lowerBound)).count { $0 == "\n" }
        let error = try #require(throws: HarnessError.self) {
            try PlatformProfile(yaml: broken, file: "some/ios-4.3.yaml")
        }
        #expect(error.key == key)
        #expect(error.message.contains(reason), "\(error)")
        #expect(error.line == line, "\(error)")
        #expect(error.description.hasPrefix("some/ios-4.3.yaml:\(line): \(key): "))
    }

    @Test(arguments: ["", "- a\n- b\n", "a: [", "name: x\nname: y\n", "\u{0}", "just text"])
    func `a file that is something else is refused`(text: String) {
        #expect(throws: HarnessError.self) { try PlatformProfile(yaml: text, file: "x.yaml") }
        #expect(throws: HarnessError.self) { try AppProfile(yaml: text, file: "x.yaml") }
    }

    @Test(arguments: [("500 ms", 0.5), ("2 s", 2), ("10 min", 600), ("0 s", 0), ("1.5 s", 1.5)])
    func `durations have a number and a unit`(text: String, seconds: Double) throws {
        let profile = try Shipped.platform("ios-4.3", ["latency": text])
        #expect(profile.service.latency == .seconds(seconds))
    }
}
