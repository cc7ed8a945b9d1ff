import Foundation
import SegueBase
import SegueData
import SegueTestSupport
import Testing

@testable import SeguePlayerModel

@Suite struct `Data files` {
    @Test func `every shipped platform loads under its own name with a source for each field`() throws {
        let names = try Shipped.names(in: "platforms")
        #expect(
            Set(names).isSuperset(of: [
                "ios-3.1", "ios-3.2-ipad", "ios-4.0", "ios-4.1", "ios-4.2", "ios-4.3", "ios-6", "ios-10", "ios-12.2",
                "ios-12.3", "ios-13", "ios-14.0", "ios-15", "ios-16", "ios-18.4", "ios-26.2", "ios-26.4", "ios-27",
                "android-media3", "desktop",
            ])
        )
        let keys = Set(try Shipped.platform("desktop").sources.keys)
        #expect(keys.count >= 46)
        for name in names {
            let profile = try Shipped.platform(name)
            #expect(profile.name == name)
            #expect(Set(profile.sources.keys) == keys)
            #expect(profile.sources.values.allSatisfy { $0.count > 5 })
        }
    }

    @Test func `every shipped app policy loads under its own name with a source for each field`() throws {
        let names = try Shipped.names(in: "apps")
        #expect(
            Set(names).isSuperset(of: [
                "layer-trick", "switch-if-rate", "switch-if-was-playing", "switch-and-resume-audio",
                "switch-when-ready",
                "switch-preloaded", "renditions",
            ])
        )
        for name in names {
            let profile = try Shipped.app(name)
            #expect(profile.name == name)
            #expect(profile.sources.count == 22)
        }
    }

    @Test(arguments: [
        ("lingers: {", "lingrs: {", "service.lingrs", "did you mean lingers?"),
        (
            "lingers: {", "latency: { value: 500 ms, source: a }\n  lingers: {", "service.latency",
            "is no longer a field; use judges-after and lingers"
        ),
        (
            "layer-skips: {", "absent-layer-helps: { value: true, source: a }\n  layer-skips: {",
            "background.absent-layer-helps",
            "is no longer a field; use pauses-without-layer and judges-without-layer"
        ),
        ("lingers: { value: 1 s", "lingers: { value: 1", "service.lingers.value", "must be a duration such as"),
        (
            "value: believe-former", "value: believe-formr", "service.unknown-tracks.value",
            "did you mean believe-former?"
        ),
        (
            "{ value: zero, source:", "{ value: zero, sauce:", "background.rate-after-pause.sauce",
            "did you mean source?"
        ),
        (
            "value: [live-missing 6", "value: [live-mising 6", "loading.retries-by-kind.value",
            "did you mean live-missing?"
        ),
        ("value: [live-missing 6", "value: [live-missing", "loading.retries-by-kind.value", "a word and a count"),
        ("retries: { value: 3", "retries: { value: -1", "loading.retries.value", "must be a whole number"),
        (
            "waits-to-minimize-stalls: { value: true", "waits-to-minimize-stalls: { value: perhaps",
            "playback.waits-to-minimize-stalls.value", "must be true or false"
        ),
        ("languages: { value: [en]", "languages: { value: [english]", "loading.languages", "no language tag"),
        ("name: ios-4.3", "nom: ios-4.3", "nom", "did you mean name?"),
        ("service:", "extra: 1\nservice:", "extra", "is not a key here"),
        (
            "keep-up-margin: { value: 1.1", "keep-up-margin: { value: 0", "loading.keep-up-margin.value",
            "must be above 0"
        ),
        (
            "buffer-resume: { value: 30 s", "buffer-resume: { value: 51 s", "loading.buffer-resume",
            "must be no more than buffer-limit"
        ),
        ("buffer-limit: { value: 50 s", "buffer-limit: { value: 0 s", "loading.buffer-limit", "must be above 0 s"),
        ("start-segments: { value: none", "start-segments: { value: 0", "loading.start-segments.value", "or none"),
        ("lead: { value: any", "lead: { value: some", "loading.lead.value", "must be a number"),
        (
            "later-after-stalls: { value: never", "later-after-stalls: { value: -1",
            "playback.later-after-stalls.value", "must be a whole number"
        ),
        ("value: [movie-player, queue-player]", "value: queue-player", "players.value", "must be a list of texts"),
    ])
    func `an error is reported with file, line, and key`(
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

    @Test func `an error about a missing key has a value to write`() throws {
        let harness = HarnessFolder(path: Shipped.path(""))
        func without(_ key: String, _ file: String) throws -> String {
            let lines = try Shipped.text(file).split(separator: "\n", omittingEmptySubsequences: false)
            let rest = lines.filter { !$0.drop { $0 == " " }.hasPrefix("\(key): {") }
            try #require(rest.count == lines.count - 1)
            return rest.joined(separator: "\n")
        }
        for (key, full, value) in [
            ("suspends-silent-app-after", "lifecycle.suspends-silent-app-after", "never"),
            ("error-codes", "loading.error-codes", "segue"), ("languages", "loading.languages", "[en]"),
        ] {
            let error = try #require(throws: HarnessError.self) {
                try PlatformProfile(yaml: without(key, "platforms/ios-4.3.yaml"), file: "mine.yaml", in: harness)
            }
            #expect(error.key == full)
            #expect(error.message.hasPrefix("is missing; write \(key): { value: \(value)"), "\(error)")
            #expect(error.message.hasSuffix(", source: … } as in desktop.yaml, or add based-on"), "\(error)")
        }
        let folder = try TestFolder()
        let text = try without("background-modes", "apps/switch-if-rate.yaml")
        let mine = try folder.write(Array(text.utf8), to: "mine.yaml")
        let lacking = try #require(throws: HarnessError.self) { try AppProfile(contentsOfFile: mine, in: harness) }
        let line = "background-modes: { value: [audio], source: … } as in switch-if-rate.yaml, or add based-on"
        #expect(lacking.key == "background-modes" && lacking.message == "is missing; write \(line)")
        // Without a folder, there is nothing to quote.
        let bare = try #require(throws: HarnessError.self) { try AppProfile(contentsOfFile: mine) }
        #expect(bare.message == "is missing")
    }

    @Test func `a base exists, has another name, and is not circular`() throws {
        let folder = try TestFolder()
        func write(_ name: String, _ text: String) throws -> String {
            try folder.write(Array(text.utf8), to: "\(name).yaml")
        }
        let one = try write("one", "name: one\nbased-on: two\n")
        _ = try write("two", "name: two\nbased-on: one\n")
        let circle = try #require(throws: HarnessError.self) { try PlatformProfile(contentsOfFile: one) }
        #expect(circle.message.contains("forms a cycle"))
        let lost = try write("lost", "name: lost\nbased-on: nowhere\n")
        let missing = try #require(throws: HarnessError.self) { try PlatformProfile(contentsOfFile: lost) }
        #expect(missing.description.hasPrefix("\(lost):2: based-on: there is no nowhere.yaml beside"))
        let harness = HarnessFolder(path: Shipped.path(""))
        let near = try #require(throws: HarnessError.self) {
            try PlatformProfile(contentsOfFile: write("near", "name: near\nbased-on: ios-4.4\n"), in: harness)
        }
        #expect(near.message.contains("did you mean one of ios-4.3, ios-6?"))
        let nameless = try write("nameless", "based-on: ios-4.3\n")
        let unnamed = try #require(throws: HarnessError.self) {
            try PlatformProfile(contentsOfFile: nameless, in: harness)
        }
        #expect(unnamed.key == "name")
        let mine = try write(
            "mine",
            "name: mine\nbased-on: ios-26.4\nservice:\n  lingers: { value: 7 s, source: me too }\n"
        )
        let profile = try PlatformProfile(contentsOfFile: mine, in: harness)
        #expect(profile.service.lingers == .seconds(7))
        #expect(profile.sources["service.lingers"] == "me too")
        #expect(profile.playback.playsAtDefaultRate, "as ios-26.4")
        #expect(profile.background.startingVideo == .ignored, "as ios-12.2, three files away")
    }

    @Test(arguments: ["", "- a\n- b\n", "a: [", "name: x\nname: y\n", "\u{0}", "just text"])
    func `another kind of file is refused`(text: String) {
        #expect(throws: HarnessError.self) { try PlatformProfile(yaml: text, file: "x.yaml") }
        #expect(throws: HarnessError.self) { try AppProfile(yaml: text, file: "x.yaml") }
    }

    @Test func `unknown codecs are refused`() throws {
        for (codecs, wrong) in [("[avc1, acv1]", "acv1"), ("[mp4e.40.2]", "mp4e.40.2"), ("[hev1.1.6, oups]", "oups")] {
            let error = try #require(throws: HarnessError.self) { try Shipped.platform("ios-4.3", ["codecs": codecs]) }
            #expect(error.key == "loading.codecs" && error.message.hasPrefix("\(wrong) is unknown"), "\(error)")
        }
        #expect(throws: Never.self) { try Shipped.platform("ios-4.3", ["codecs": "[avc, mp4a.40.2, dvh1.08]"]) }
    }

    @Test(arguments: [("500 ms", 0.5), ("2 s", 2), ("10 min", 600), ("0 s", 0), ("1.5 s", 1.5)])
    func `durations have a number and a unit`(text: String, seconds: Double) throws {
        let profile = try Shipped.platform("ios-4.3", ["lingers": text])
        #expect(profile.service.lingers == .seconds(seconds))
    }
}
