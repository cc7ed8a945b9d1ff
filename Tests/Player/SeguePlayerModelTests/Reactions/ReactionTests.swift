import SegueBase
import SegueData
import SegueEvents
import SegueFetch
import Testing

@testable import SeguePlayerModel

/// Rules of an app in virtual time.
@Suite struct `Reactions` {
    private static let title = Title(name: "title", duration: 60)

    @Test func `the app acts at the exact instant`() throws {
        let rig = try run("- { when: { time: \">= 10\" }, do: [pause] }")
        let decided = try #require(rig.reacted.first)
        #expect(decided.words == "1: pause")
        #expect(decided.reason == "time >= 10")
        #expect(decided.at == Instant(seconds: 10))
        #expect(rig.session.player.timeControl == .paused)
        #expect(rig.trail.stretches.map(\.ended) == [Instant(seconds: 10)])
        #expect(rig.reacted.count == 1)
    }

    @Test(arguments: [
        ("position: \">= 12.5\"", 12.5), ("heard: \">= 7\"", 7), ("played: \"> 7\"", 7.000_000_001),
        ("position: \">= duration - 5\"", 55), ("not: { position: \"< 20\" }", 20), ("heard: \"5 +- 0.5\"", 4.5),
        ("any: [{ heard: \">= 31\" }, { position: \">= 30\" }]", 30), ("position: \">= 20\", heard: \"> 8\"", 20),
        ("position: \">= min(20, heard * heard / 3)\", heard: \">= 1\"", 1), ("position: \"< heard\"", nil),
        ("position: \">= heard * heard / 4\", rate: 1", 0), ("heard: \"< position * position / 4\"", 4.000_000_001),
        ("heard: \"< floor(position / 7) * 9\"", 7), ("heard: \"> 99999999999999999999 * 99999999999999999999\"", nil),
        ("heard: \"> 1 / 0\"", nil), ("not: { heard: \"<= 1 / 0\" }, position: \">= 3\"", 3),
    ])
    func `a number matches when it reaches the limit`(condition: String, heard: Double?) throws {
        let rig = try run("- { when: { audible: true, \(condition) }, do: { let: { a: time } } }")
        let began = try #require(rig.trail.stretches.first?.began)
        let instant = heard.map { began + .nanoseconds(Int64(($0 * 1e9).rounded())) }
        #expect(rig.reacted.first?.at == instant)
    }

    @Test func `a decreasing number matches as it decreases`() throws {
        let rig = try rig("- { when: { buffered: \"< 3\", played: \"> 1\" }, do: { let: { a: time } } }")
        rig.fetcher.isSilent = { $0.url.hasSuffix("/4.ts") }
        _ = rig.runner.run(until: Instant(seconds: 50))
        let stalled = try #require(rig.first { if case .itemStalled = $0 { true } else { false } })
        let seen = try #require(rig.reacted.first)
        #expect(stalled - seen.at == .seconds(3) - .nanoseconds(1))
        #expect(rig.reacted.count == 1)
    }

    @Test func `it acts each time that a condition becomes true`() throws {
        let rig = try rig("- { when: { rate: 0 }, do: { let: { a: time } } }")
        for at in [5.0, 12] { rig.plan(.pause, at: at) }
        for at in [8.0, 20] { rig.plan(.play, at: at) }
        // A condition that is true already does not become true.
        rig.plan(.setPeakBitrate(1), at: 6)
        _ = rig.runner.run(until: Instant(seconds: 40))
        #expect(rig.reacted.map(\.at) == [0, 5, 12].map { Instant(seconds: $0) })
    }

    @Test func `or only the first time`() throws {
        let rig = try rig("- { once: true, when: { rate: 0 }, do: { let: { a: time } } }")
        rig.plan(.pause, at: 5)
        _ = rig.runner.run(until: Instant(seconds: 40))
        #expect(rig.reacted.map(\.at) == [.zero])
    }

    @Test func `a condition must stay true for its whole time`() throws {
        let rig = try rig("- { after: 4, when: { rate: 0 }, do: play }")
        for at in [5.0, 12] { rig.plan(.pause, at: at) }
        rig.plan(.play, at: 8.999)
        _ = rig.runner.run(until: Instant(seconds: 40))
        #expect(rig.reacted.map(\.at) == [Instant(seconds: 16)])
        #expect(rig.reacted.first?.reason == "rate 0, for 4 s")
        #expect(rig.session.player.timeControl == .playing)
    }

    @Test func `the time may be an expression`() throws {
        let rig = try run("- { after: duration / 4 + was, when: { rate: 1 }, do: pause }\n- \(Self.note("was", "0.5"))")
        let known = try #require(rig.first { if case .itemReadyToPlay = $0 { true } else { false } })
        #expect(known > .zero)
        #expect(rig.reacted.map(\.at).last == Instant(seconds: 15.5), "since the wish to play, which was at 0")
    }

    @Test func `rules act in order, and one may make another's condition true or false`() throws {
        let rig = try run(
            """
            - { name: slow, when: { time: ">= 10", rate: 1 }, do: [{ do: rate, to: 0.5 }] }
            - { name: never, when: { time: ">= 10", rate: 1 }, do: [pause] }
            - { name: slower, when: { rate: 0.5 }, do: [{ do: rate, to: 0.25 }] }
            - { name: first, when: { rate: 0.25 }, do: [pause] }
            """
        )
        #expect(rig.reacted.map { $0.words.prefix { $0 != ":" } } == ["slow", "slower", "first"])
        #expect(Set(rig.reacted.map(\.at)) == [Instant(seconds: 10)])
    }

    @Test func `rules that trigger each other are stopped, and time continues`() throws {
        let rig = try rig(
            """
            - { when: { time: ">= 10", rate: 1 }, do: [pause] }
            - { when: { time: ">= 10", rate: 0 }, do: [play] }
            """
        )
        rig.plan(.pause, at: 10)
        rig.plan(.setPeakBitrate(1), at: 11)
        rig.plan(.play, at: 20)
        #expect(rig.runner.run(until: Instant(seconds: 30)) != .stopped)
        let exceptions = rig.runner.log.events.compactMap { event in
            if case .appException("reactions", let reason) = event.kind { (event.at, reason) } else { nil }
        }
        #expect(exceptions.map(\.0) == [10, 20].map { Instant(seconds: $0) })
        #expect(exceptions.first?.1 == "the rule 1 ran more than 100 times at one instant")
        #expect(rig.reacted.count == 400)
    }

    @Test func `a suspended app does not react, and evaluates its rules when it resumes`() throws {
        let app = try AppProfile.with(
            "- { when: { time: \">= 40\" }, do: { let: { a: time } } }\n- \(Self.note("b", "time", "time: \">= 55\""))",
            basedOn: "switch-if-rate"
        )
        let rig = Rig(platform: try Shipped.platform("ios-4.3"), app: app, titles: [Self.title])
        rig.plan(.open([Self.title.address]), at: 0)
        rig.plan(.play, at: 0)
        rig.plan(.goHome, at: 15)
        rig.plan(.setPeakBitrate(1), at: 45)
        rig.plan(.comeBack, at: 50)
        _ = rig.runner.run(until: Instant(seconds: 60))
        let suspended = try #require(rig.first { $0 == .platformLifecycle(phase: "suspended") })
        #expect(suspended < Instant(seconds: 40))
        #expect(rig.reacted.map(\.at) == [50, 55].map { Instant(seconds: $0) })
    }

    @Test func `a terminated app does not react`() throws {
        let app = try AppProfile.with(
            "- { when: { time: \">= 40\" }, do: { let: { a: time } } }",
            more: "layer: { value: keep, source: a test }\n",
            player: "movie-player"
        )
        let rig = Rig(platform: try Shipped.platform("ios-3.1"), app: app, titles: [Self.title])
        rig.plan(.open([Self.title.address]), at: 0)
        rig.plan(.goHome, at: 30)
        rig.plan(.comeBack, at: 50)
        _ = rig.runner.run(until: Instant(seconds: 60))
        #expect(rig.first { $0 == .platformLifecycle(phase: "terminated") } != nil)
        let back = try #require(rig.first { $0 == .platformLifecycle(phase: "didBecomeActive") })
        #expect(rig.reacted.map(\.at) == [back])
    }

    @Test func `an app that cannot run on the platform does not react`() throws {
        let app = try AppProfile.with("- { when: { time: \">= 4\" }, do: play }")
        let rig = Rig(platform: try Shipped.platform("ios-4.0"), app: app, titles: [Self.title])
        rig.plan(.open([Self.title.address]), at: 0)
        _ = rig.runner.run(until: Instant(seconds: 60))
        #expect(rig.reacted.isEmpty)
    }

    @Test func `events are counted since the beginning, or since a rule acted`() throws {
        let rig = try rig(
            """
            - name: third
              when: { events: { kind: segment.loaded, count: ">= 3", since: third } }
              do: { let: { a: time } }
            - { when: { events: { kind: segment.loaded, number: ">= 6" } }, do: { let: { a: time } } }
            - { when: { events: { kind: request.answered, count: "5" } }, do: { let: { a: time } } }
            - { when: { events: { kind: request.cancelled } }, do: { let: { a: time } } }
            - { when: { events: { kind: app.decided, count: ">= 4" } }, do: { let: { a: time } } }
            """,
            line: .slow
        )
        rig.plan(.removeAll, at: 30)
        _ = rig.runner.run(until: Instant(seconds: 60))
        let loaded = rig.times { if case .segmentLoaded = $0 { true } else { false } }
        let answered = rig.times { if case .requestAnswered = $0 { true } else { false } }
        let cancelled = rig.times { if case .requestCancelled = $0 { true } else { false } }
        try #require(loaded.count > 6 && answered.count > 4 && rig.reacted.count > 3)
        #expect(loaded.count < 9 && cancelled == [Instant(seconds: 30)])
        func acted(_ number: String) -> [Instant] { rig.reacted.filter { $0.words.hasPrefix(number) }.map(\.at) }
        #expect(acted("third") == [loaded[2], loaded[5]])
        #expect(acted("2") == [loaded[6]])
        #expect(acted("3") == [answered[4]])
        #expect(acted("4") == cancelled)
        #expect(acted("5") == [rig.reacted[3].at])
    }

    @Test func `an impossible act is logged and skipped`() throws {
        let rig = try run(
            """
            - name: all
              when: { time: ">= 10" }
              do:
                - { do: seek, to: later }
                - { do: remove, which: 2 }
                - { do: rate, to: time * 11 }
                - { switch: full }
                - { preload: full }
                - { let: { never: 1 / 0 } }
                - pause
                - remove-all
                - make-again
                - { switch: background }
            - { when: { time: "> 80" }, do: { let: { later: 3 } } }
            """
        )
        let notes = rig.kinds.compactMap { if case .appNoted(_, let note) = $0 { note } else { nil } }
        #expect(
            notes == [
                "all: seek to later s: later has no value at this time",
                "all: remove 2: the queue has no such item; its length is 1",
                "all: rate time * 11: time * 11 is 110, must be 0 or a rate from 0.01 to 100",
                "all: switch to the full rendition: the item already is the full rendition",
                "all: load the full rendition: the item already is the full rendition",
                "all: let never = 1 / 0: 1 / 0 has no value at this time",
                "all: recreate the item: there is no item",
                "all: switch to the background rendition: there is no item",
            ]
        )
        #expect(rig.trail.stretches.map(\.ended) == [Instant(seconds: 10)])
    }

    @Test func `numbers may be arbitrarily large`() throws {
        let huge = "99999999999999999999 * (time + 1)"
        let rig = try run(
            """
            - when: { time: ">= 10" }
              after: heard - 99999999999999999999
              do: [{ do: seek, to: \(huge) }, { do: peak-bitrate, to: \(huge) }, { do: forward-buffer, to: \(huge) }]
            - { when: { time: ">= 5" }, after: "time * 99999999999999999999", do: pause }
            - { when: { time: "99999999999999999999 +- 99999999999999999999" }, do: { let: { a: \(huge) } } }
            """
        )
        #expect(rig.reacted.map(\.words.first) == ["3", "1"])
    }

    @Test func `the queue is filled from the opened items`() throws {
        let rig = try rig(
            """
            - { once: true, when: { position: ">= 10" }, do: [{ do: open, items: 3 }] }
            - once: true
              when: { queue: "> 1" }
              do: [{ do: insert, url: other/full.m3u8, behind: current }, advance, { do: seek, to: 20 }]
            """
        )
        _ = rig.runner.run(until: Instant(seconds: 40))
        let urls = rig.session.player.items.map(\.url)
        #expect(urls == ["title/other", "title", "title", "title"].map { "http://origin/\($0)/full.m3u8" })
    }

    @Test(arguments: ["switch-if-rate", "switch-when-ready"])
    func `a rule switches as the policy does, and the policy switches back`(base: String) throws {
        let app = try AppProfile.with(
            """
            - { when: { heard: ">= 10" }, do: { switch: background } }
            - { when: { heard: ">= 20" }, do: { switch: full } }
            """,
            basedOn: base
        )
        let rig = Rig(platform: try Shipped.platform("desktop"), app: app, titles: [Self.title])
        rig.plan(.open([Self.title.address]), at: 0)
        rig.plan(.play, at: 0)
        _ = rig.runner.run(until: Instant(seconds: 70))
        #expect(rig.trail.stretches.compactMap { rig.session.rendition(of: $0.item) } == [.full, .background, .full])
        #expect(rig.trail.stretches.map(\.length) == [.seconds(10), .seconds(10), .seconds(40)])
        #expect(rig.kinds.contains(.playerCommand(name: "pause", item: "item-1")) == (base == "switch-when-ready"))
    }

    @Test(arguments: [
        ("{ switch: background }", 1), ("make-again", 1), ("{ do: insert, url: other/full.m3u8, behind: current }", 0),
    ])
    func `a log distinguishes a replacement from the next item`(act: String, switches: Int) throws {
        let other = Title(name: "other", duration: 30)
        let rig = Rig(
            platform: try Shipped.platform("desktop"),
            app: try .with("- { once: true, when: { heard: \">= 10\" }, do: [\(act)] }"),
            titles: [Self.title, other]
        ) { request in
            request.url.contains("/title/other/") ? other.answer(String(request.url.dropFirst(20))) : nil
        }
        rig.plan(.open([Self.title.address]), at: 0)
        rig.plan(.play, at: 0)
        rig.plan(.advance, at: 20)
        rig.plan(.pause, at: 35)
        _ = rig.runner.run(until: Instant(seconds: 40))
        let metrics = LoggedSession(rig.runner.log) { $0 == $1 }.metrics
        #expect(metrics.switches.count == switches)
        #expect(rig.trail.stretches.count == 2)
    }

    @Test func `rules that never act change nothing`() throws {
        let rules = """
            - { when: { heard: "> position + 1" }, do: pause }
            - { when: { any: [{ time: "> 1000" }, { events: { kind: item.stalled } }, { buffered: "< -1" }] }, do: pause }
            """
        let logs = try [rules, ""].map { rules in
            let app = try rules.isEmpty ? Shipped.app("switch-when-ready") : .with(rules, basedOn: "switch-when-ready")
            let rig = Rig(platform: try Shipped.platform("ios-4.3"), app: app, line: .slow, titles: [Self.title])
            rig.plan(.open([Self.title.address]), at: 0)
            rig.plan(.play, at: 0)
            rig.plan(.goHome, at: 20)
            rig.plan(.comeBack, at: 40)
            _ = rig.runner.run(until: Instant(seconds: 60))
            return rig.runner.log.jsonLines.replacing("\"policy\":\"switch-when-ready\"", with: "\"policy\":\"mine\"")
        }
        #expect(logs[0].replacing("\"policy\":\"a-test\"", with: "\"policy\":\"mine\"") == logs[1])
    }

    /// Plays a minute, for a minute and a half, with rules.
    private func run(_ rules: String) throws -> Rig {
        let rig = try rig(rules)
        _ = rig.runner.run(until: Instant(seconds: 90))
        return rig
    }

    private func rig(_ rules: String, line: Line = .wifi) throws -> Rig {
        let rig = Rig(
            platform: try Shipped.platform("desktop"),
            app: try .with(rules),
            line: line,
            titles: [Self.title]
        )
        rig.plan(.open([Self.title.address]), at: 0)
        rig.plan(.play, at: 0)
        return rig
    }

    /// A rule that stores a value.
    private static func note(_ name: String, _ value: String, _ condition: String = "time: \">= 0\"") -> String {
        "{ when: { \(condition) }, do: { let: { \(name): \(value) } } }"
    }
}

extension AppProfile {
    /// A policy that does nothing in the background, with rules: the entries of a list.
    static func with(
        _ rules: String,
        basedOn base: String = "layer-trick",
        more: String = "",
        player: String = "queue-player"
    ) throws -> AppProfile {
        let player = base == "layer-trick" ? "player: { value: \(player), source: a test }\n" : ""
        let lines = rules.split(separator: "\n").map { "  \($0)\n" }.joined()
        let text = "name: mine\nbased-on: \(base)\n\(player)\(more)reactions:\n\(lines)"
        return try AppProfile(yaml: text, file: Shipped.path("apps/a-test.yaml"))
    }
}

extension Rig {
    /// The decisions that followed from the app's rules.
    var reacted: [(at: Instant, words: String, reason: String)] {
        runner.log.events.compactMap { event in
            guard case .appDecided(_, let words, let reason) = event.kind, words.contains(":") else { return nil }
            return (event.at, words, reason)
        }
    }

    /// The times of matching events.
    fileprivate func times(_ isMeant: (EventKind) -> Bool) -> [Instant] {
        runner.log.events.filter { isMeant($0.kind) }.map(\.at)
    }
}
