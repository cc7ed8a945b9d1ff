import SegueBase
import SegueConformance
import SegueTestSupport
import SegueWeb
import Testing

@testable import SegueLiveMonitor

@Suite struct StateHistoryTests {
    private static func runs(_ history: StateHistory) -> [String] {
        history.runs.map { "\($0.state) \($0.intervals.lowerBound)-\($0.intervals.upperBound)" }
    }

    @Test func `a state holds until the next one, and an interval has its worst`() {
        var history = StateHistory()
        history.note(.good, at: 1)
        history.note(.must, at: 21)
        history.note(.good, at: 24)
        history.note(.should, at: 41)
        // Intervals of 5 s: 20 to 25 s has the must.
        #expect(Self.runs(history) == ["good 0-4", "must 4-5", "good 5-8", "should 8-9"])
        #expect(history.current == .should)
    }

    @Test func `a past time can become worse but not better`() {
        var history = StateHistory()
        history.note(.good, at: 0)
        history.note(.unreachable, at: 12)
        history.note(.good, at: 39)
        history.mark(.stalled, from: 5, to: 19)
        #expect(Self.runs(history) == ["good 0-1", "stalled 1-2", "unreachable 2-8"])
    }

    @Test func `a watch of any duration has a bounded number of intervals`() {
        var history = StateHistory()
        history.note(.good, at: 0)
        history.note(.must, at: 86_400)
        history.note(.good, at: 86_401)
        history.note(.good, at: 3 * 86_400)
        #expect(history.count <= StateHistory.limit)
        // 5 s doubled eight times: 240 intervals of 1280 s are three and a half days, half of that are too few.
        #expect(history.interval == 1280)
        #expect(history.runs.map(\.state) == [.good, .must, .good])
        #expect(history.runs[1].intervals == 67..<68)
        history.note(.good, at: .infinity)
        history.note(.good, at: -1)
        #expect(history.count <= StateHistory.limit)
    }

    @Test func `the page shows the states in a strip`() throws {
        let board = StreamBoard(["http://h/<a>.m3u8"], began: 1_700_000_000)
        let failing: Set = [HeldCondition(rule: "live-reload", playlist: "a")]
        let held: [(Set<HeldCondition>, Double)] = [([], 1), (failing, 11), ([], 21)]
        for (broken, at) in held {
            board.measured(WatchFigures(), broken: broken, of: 0, at: board.began + at)
        }
        let rule = LiveRules.lastModified
        board.found(BrokenRule(rule: rule, place: Place(url: "a"), message: "late"), in: 0, at: board.began + 26)
        let page = try BoardPage(WebFolder(path: Checkout.path("Web"))).html(of: board, at: board.began + 39)
        // Eight intervals of 5 s; the advice of Apple's text does not count by default.
        #expect(page.contains(#"<svg viewBox="0 0 8 10""#))
        #expect(page.contains(#"<rect x="2" width="3" height="10" class="unreachable"><title>"#))
        #expect(page.contains("22:13:30 to 22:13:45: playlist fails</title>"))
        #expect(page.contains(#"<rect x="5" width="3" height="10" class="good">"#))
        #expect(page.contains("ok 63 %, playlist fails 38 %"))
        #expect(page.contains("http://h/&lt;a&gt;.m3u8"))
        #expect(page.contains("1 of 1 streams with trouble in the last minute"))
        let later = try BoardPage(WebFolder(path: Checkout.path("Web"))).html(of: board, at: board.began + 90)
        #expect(later.contains("0 of 1 streams with trouble in the last minute"))
    }
}
