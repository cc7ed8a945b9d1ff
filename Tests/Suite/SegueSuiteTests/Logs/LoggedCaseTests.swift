import Foundation
import SegueBase
import SegueCharts
import SegueComparison
import SegueData
import SegueTestSupport
import Testing

@testable import SegueSuite

/// Logs of any player.
@Suite struct `Logs of other players` {
    /// A song that stalls once for 2.75 s, in eight lines.
    private static let song = """
        {"t":0,"kind":"player.command","name":"play","item":"song"}
        {"t":0.2,"kind":"myplayer.manifestParsed","levels":[1,2,3],"audio":null}
        {"t":1.25,"kind":"sound.began","item":"song","position":0}
        {"t":11.25,"kind":"item.stalled","item":"song","position":10}
        {"t":11.25,"kind":"sound.ended","item":"song","position":10,"reason":"stall"}
        {"t":14,"kind":"sound.began","item":"song","position":10}
        {"t":64,"kind":"sound.ended","item":"song","position":60,"reason":"end"}
        {"t":64,"kind":"item.playedToEnd","item":"song"}
        """

    private static let harness = HarnessFolder(
        path: Checkout.path("Harness")
    )

    private func read(_ text: String) throws -> LoggedCase {
        let folder = try TestFolder()
        return try LoggedCase(fileAt: folder.write(Array(text.utf8), to: "log.jsonl"))
    }

    @Test func `have the same metrics as our own`() throws {
        let logged = try read(Self.song)
        let metrics = logged.metrics
        #expect(metrics.startupSeconds == 1.25)
        #expect(metrics.stalls == 1 && metrics.stallSeconds == 2.75 && metrics.silenceSeconds == 2.75)
        #expect(metrics.heardSeconds == 60)
        #expect(metrics.background == nil && metrics.switchGapSeconds == nil && metrics.errors == 0)
        #expect(logged.unknownWords == "1 line of unknown kinds skipped: myplayer.manifestParsed (1)")
    }

    @Test func `need no events for unused functions`() throws {
        // Without calls and a queue: playback started when the rate was set, and continues at the end.
        let metrics = try read(
            """
            {"t":2,"kind":"player.rate","rate":2,"reason":""}
            {"t":3,"kind":"sound.began","item":"a","position":100}

            {"t":5,"kind":"platform.lifecycle","phase":"didEnterBackground"}
            {"t":25,"kind":"platform.lifecycle","phase":"didBecomeActive"}
            """
        ).metrics
        #expect(metrics.startupSeconds == 1 && metrics.heardSeconds == 44)
        #expect(metrics.background == "continues")
    }

    @Test func `show switches between items`() throws {
        let metrics = try read(
            """
            {"t":0,"kind":"queue.inserted","item":"film","url":"https://cdn.example/film/index.m3u8"}
            {"t":0,"kind":"queue.inserted","item":"sound","url":"https://cdn.example/film/index.m3u8?sound=1"}
            {"t":0,"kind":"queue.inserted","item":"next","url":"https://cdn.example/next/index.m3u8"}
            {"t":1,"kind":"sound.began","item":"film","position":0}
            {"t":1,"kind":"picture.began","item":"film","position":0}
            {"t":3,"kind":"sound.ended","item":"film","position":2,"reason":"next"}
            {"t":3,"kind":"picture.ended","item":"film","position":2,"reason":"next"}
            {"t":3.5,"kind":"sound.began","item":"sound","position":2}
            {"t":4,"kind":"sound.ended","item":"sound","position":2.5,"reason":"end"}
            {"t":9,"kind":"sound.began","item":"next","position":0}
            """
        ).metrics
        #expect(metrics.switchGapSeconds == 0.5)
    }

    @Test(arguments: [
        (#"{"t":0"#, "line 2 is not a JSON object"),
        ("[1]", "line 2 is not a JSON object"),
        (#"{"t":1,"name":"play"}"#, "line 2 has no kind"),
        (#"{"kind":"queue.current","item":"a"}"#, "line 2 is queue.current without t, its seconds since the run began"),
        (
            #"{"t":1,"kind":"sound.began","item":"a"}"#,
            "line 2 is sound.began without position; segue events lists the fields of each kind"
        ),
        (
            #"{"t":1,"kind":"sound.began","item":3,"position":0}"#,
            "line 2 is sound.began with item of the wrong type; segue events lists the fields of each kind"
        ),
        (#"{"t":-1,"kind":"queue.current","item":"a"}"#, "line 2 has t -1, which is out of range"),
        (#"{"t":5e9,"kind":"queue.current","item":"a"}"#, "line 2 has t 5000000000, which is out of range"),
        (
            #"{"t":1,"kind":"request.finished","request":1,"bytes":9223372036854775807,"seconds":1}"#,
            "line 2 has bytes 9223372036854775807, which is out of range"
        ),
        (
            #"{"t":0.5,"kind":"queue.current","item":"a"}"#,
            "line 2 has t 0.5, less than the line before it (t 1); a log must be ordered by time"
        ),
    ])
    func `are refused with the broken line`(line: String, words: String) throws {
        let error = #expect(throws: LoggedCaseError.self) {
            try read(#"{"t":1,"kind":"queue.current","item":"a"}"# + "\n" + line + "\n")
        }
        #expect(error?.reason == words)
    }

    @Test func `are refused without any known event`() throws {
        #expect(throws: LoggedCaseError.self) { try read("\n \n") }
        let error = #expect(throws: LoggedCaseError.self) { try read(#"{"kind":"their.own"}"#) }
        #expect(error?.reason.contains("1 line of unknown kinds skipped: their.own (1)") == true)
        let long = #expect(throws: LoggedCaseError.self) { try read(String(repeating: "x", count: 2 << 20)) }
        #expect(long?.reason == "line 1 is longer than 1048576 bytes")
    }

    @Test func `are checked by the rules for their names`() throws {
        var given = LogJudge.Given()
        func outcome(_ text: String) throws -> CaseOutcome {
            var judge = try LogJudge(rules: nil, given, in: Self.harness)
            return judge.outcome(of: try read(text), at: "logs/song.jsonl", wantsStory: true)
        }
        // The rule against stalls applies to fast networks, and the network is unknown here.
        let free = try outcome(Self.song)
        #expect(free.result.verdict == .pass && free.result.name.file == "song.jsonl")
        #expect(free.story?.audio.count == 2)
        given.network = "wifi"
        let held = try outcome(Self.song)
        #expect(held.result.verdict == .fail && held.result.findings.map(\.rule) == ["stall-on-a-fast-network"])
        #expect(held.result.findings.first?.at == 11.25)
        // What the log contains needs no option.
        given.network = nil
        let began =
            #"{"t":0,"kind":"case.began","file":"a.mp3","scenario":"play-through","network":"wifi","#
            + #""platform":"theirs","app":"theirs","seed":7}"# + "\n"
        let named = try outcome(began + Self.song)
        #expect(named.result.name.file == "a.mp3" && named.result.name.seed == 7)
        #expect(named.result.findings.map(\.rule) == ["stall-on-a-fast-network"])
    }

    @Test func `are judged again, except findings that do not follow from a log`() throws {
        let judged = try read(
            """
            {"t":1,"kind":"queue.current","item":"a"}
            {"t":2,"kind":"finding","rule":"unexpected-error","message":"an earlier one"}
            {"t":2,"kind":"finding","rule":"step-failed","message":"step 3 of 8"}
            """
        )
        #expect(judged.told == [Finding(rule: "step-failed", message: Message(quoting: "step 3 of 8"), at: 2)])
        var judge = try LogJudge(rules: nil, LogJudge.Given(), in: Self.harness)
        let result = judge.outcome(of: judged, at: "a.jsonl", wantsStory: false).result
        #expect(result.verdict == .fail && result.findings.map(\.rule) == ["step-failed"])
        #expect(result.metrics.errors == 0)
    }
}
