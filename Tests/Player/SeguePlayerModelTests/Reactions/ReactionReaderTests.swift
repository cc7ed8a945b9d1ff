import SegueBase
import SegueData
import SegueTestSupport
import Testing

@testable import SeguePlayerModel

@Suite struct `Rules in app files` {
    @Test func `are read with the acts of an app's code`() throws {
        let app = try AppProfile.with(
            """
            - name: all
              when: { time: "> 1", any: [{ status: failed }, { events: { kind: item.stalled, count: ">= 2" } }] }
              after: duration / 60
              once: true
              do:
                - play
                - { do: seek, to: 30, tolerance: any }
                - { do: open, items: 2, rendition: background }
                - { switch: background }
                - { preload: full }
                - { let: { was: position } }
                - make-again
                - begin-background-task
                - end-background-task
                - { do: rate, to: was / 10 }
            - { when: { rate: 0, events: { kind: seek.ended, since: all } }, do: advance }
            """
        )
        #expect(app.reactions.map(\.name) == ["all", "2"])
        #expect(app.reactions.map(\.isOnce) == [true, false])
        #expect(
            app.reactions.map(\.reason) == [
                "time > 1, (status failed) or (>= 2 of item.stalled), for duration / 60 s",
                "rate 0, > 0 of seek.ended since all",
            ]
        )
        #expect(
            app.reactions.map(\.decision) == [
                "all: play, seek to 30 s (before: any, after: any), open 2 times background,"
                    + " switch to the background rendition, load the full rendition, let was = position,"
                    + " recreate the item, begin a background task, end the background task, rate was / 10",
                "2: advance",
            ]
        )
    }

    @Test func `every act of a player is one`() throws {
        let told: [PlayerAct.Verb: String] = [
            .rate: "to: 1", .defaultRate: "to: 1", .seek: "to: 1", .endAction: "is: none", .minimizeStalls: "is: on",
            .peakBitrate: "to: 1", .forwardBuffer: "to: 1", .video: "is: off", .scan: "to: 8, backward: on",
        ]
        for verb in PlayerAct.Verb.allCases {
            let act = "{ do: \(verb.rawValue)\(told[verb].map { ", \($0)" } ?? "") }"
            #expect(throws: Never.self) { try AppProfile.with("- { when: { rate: 0 }, do: [\(act)] }") }
        }
    }

    @Test(arguments: [
        ("{ when: { rate: 0 } }", "reactions[0].do", "is missing"),
        ("{ do: play }", "reactions[0].when", "is missing"), ("{ wen: { rate: 0 }, do: play }", "wen", "mean when?"),
        ("{ when: {}, do: play }", "reactions[0].when", "contains no condition"),
        ("{ when: { rat: 0 }, do: play }", "reactions[0].when.rat", "did you mean rate?"),
        ("{ when: { status: faild }, do: play }", "reactions[0].when.status", "did you mean failed?"),
        ("{ when: { time: \">= ten\" }, do: play }", "reactions[0].when.time", "ten is unknown"),
        ("{ when: { events: { kind: item.staled } }, do: play }", "events.kind", "did you mean item.stalled?"),
        ("{ when: { events: { kind: item.stalled, since: me } }, do: play }", "events.since", "me is unknown"),
        ("{ when: { events: { kind: step.began } }, do: play }", "when.events", "no app receives step.began"),
        ("{ when: { events: { kind: link.fault } }, do: play }", "when.events", "no app receives link.fault"),
        ("{ when: { events: { source: origin } }, do: play }", "when.events", "no app receives source origin"),
        ("{ when: { rate: 0 }, do: [] }", "reactions[0].do", "at least one act"),
        ("{ when: { rate: 0 }, do: paly }", "reactions[0].do", "did you mean play?"),
        ("{ when: { rate: 0 }, do: switch }", "reactions[0].do", "is a key, as in { switch: … }"),
        (
            "{ when: { rate: 0 }, do: [play, lock] }", "reactions[0].do[1]",
            "an act of the user, the system, or the test"
        ),
        ("{ when: { rate: 0 }, do: [background] }", "do[0]", "an app can open, insert, remove"),
        ("{ when: { rate: 0 }, do: [stay] }", "do[0]", "an act of the user"),
        ("{ when: { rate: 0 }, do: [{ network: 3g }] }", "do[0].network", "an act of the user"),
        ("{ when: { rate: 0 }, do: [{ fault: { kind: segment } }] }", "do[0].fault", "an act of the user"),
        ("{ when: { rate: 0 }, do: [{ do: scan, to: 1 }] }", "do[0].to", "must be a rate from 2 to 64"),
        ("{ when: { rate: 0 }, do: [{ do: scan }] }", "do[0].to", "is missing"),
        ("{ when: { rate: 0 }, do: [{ do: scan, to: 8, backward: so }] }", "do[0].backward", "must be on or off"),
        ("{ when: { rate: 0 }, do: [{ do: play, at: 3 }] }", "do[0].at", "is not a key here"),
        ("{ when: { rate: 0 }, do: [{ do: play, switch: full }] }", "do[0].switch", "must be separate acts"),
        ("{ when: { rate: 0 }, do: [{ swich: full }] }", "do[0].swich", "did you mean switch?"),
        ("{ when: { rate: 0 }, do: [{ switch: ful }] }", "do[0].switch", "did you mean full?"),
        ("{ when: { rate: 0 }, do: [{ do: seek }] }", "do[0].to", "is missing"),
        ("{ when: { rate: 0 }, do: [{ do: rate, to: 1000 }] }", "do[0].to", "must be 0 or a rate from 0.01 to 100"),
        ("{ when: { rate: 0 }, do: [{ let: { rate: 1 } }] }", "do[0].let", "is already in use"),
        ("{ when: { rate: 0 }, do: [{ let: {} }] }", "do[0].do", "is missing"),
        ("{ when: { rate: 0 }, do: [[play]] }", "do[0]", "must be a mapping"),
        ("{ when: { rate: 0 }, do: play, after: -1 }", "reactions[0].after", "must not be negative"),
        ("{ when: { rate: 0 }, do: play, after: 1e3 }", "reactions[0].after", "is left after the expression"),
        ("{ when: { rate: 0 }, do: play, after: 99999999999999999999 }", "after", "at most 1000000 seconds"),
        ("{ when: { rate: 0 }, do: play, once: maybe }", "reactions[0].once", "must be true or false"),
        ("{ when: { rate: 0 }, do: play, at: 3 }", "reactions[0].at", "is not a key here"),
        (
            "{ name: a, when: { rate: 0 }, do: play }\n- { name: a, when: { rate: 0 } }", "[1].name",
            "is used by another rule"
        ),
    ])
    func `an error is reported with file, line, and key`(rule: String, key: String, words: String) throws {
        let error = try #require(throws: HarnessError.self) { try AppProfile.with("- \(rule)") }
        #expect(error.key.hasSuffix(key), "\(error)")
        #expect(error.message.contains(words), "\(error)")
        #expect(error.file.hasSuffix("a-test.yaml"))
        #expect(error.line == 5 + rule.count { $0 == "\n" })
    }

    @Test func `anything but a list of rules is refused`() {
        for text in ["reactions: 3", "reactions: { when: { rate: 0 } }", "reactions: [3]"] {
            #expect(throws: HarnessError.self) {
                try AppProfile(
                    yaml: "name: x\nbased-on: layer-trick\n\(text)\n",
                    file: Shipped.path("apps/a-test.yaml")
                )
            }
        }
    }

    @Test func `they are inherited, or replaced as a whole`() throws {
        let folder = try TestFolder()
        func write(_ name: String, _ rest: String) throws -> String {
            try folder.write(Array("name: \(name)\n\(rest)".utf8), to: "\(name).yaml")
        }
        let harness = HarnessFolder(path: Shipped.path(""))
        let rule = "{ when: { time: \"> 9\" }, do: pause }"
        _ = try write("one", "based-on: renditions\nreactions: [\(rule)]\n")
        let same = try AppProfile(contentsOfFile: write("two", "based-on: one\n"), in: harness)
        #expect(same.reactions.map(\.decision) == ["1: pause"])
        let other = "reactions: [{ when: { rate: 0 }, do: [play, advance] }]\n"
        let replaced = try AppProfile(contentsOfFile: write("three", "based-on: one\n\(other)"), in: harness)
        #expect(replaced.reactions.map(\.decision) == ["1: play, advance"])
        let none = try AppProfile(contentsOfFile: write("four", "based-on: one\nreactions: []\n"), in: harness)
        #expect(none.reactions.isEmpty)
        #expect(try Shipped.app("renditions").reactions.isEmpty)
    }

    @Test func `an inherited error is reported for the file that contains it`() throws {
        let folder = try TestFolder()
        let base = try folder.write(
            Array("name: one\nbased-on: renditions\n\n\nreactions:\n  - { when: { rate: 0 }, do: paly }\n".utf8),
            to: "one.yaml"
        )
        let mine = try folder.write(Array("name: two\nbased-on: one\n".utf8), to: "two.yaml")
        let error = try #require(throws: HarnessError.self) {
            try AppProfile(contentsOfFile: mine, in: HarnessFolder(path: Shipped.path("")))
        }
        #expect(error.file == base && error.line == 6, "\(error)")
    }
}
