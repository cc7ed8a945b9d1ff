import SegueBase
import SegueEvents
import Testing

@testable import SegueCharts

@Suite struct `The closer look` {
    /// Stalls at 20 s for 3 s and at 40 s for 1 s; is left at 60 s and silent from 61 s to 64 s.
    private let events: [(Double, EventKind)] = [
        (0, .queueInserted(item: "item-1", url: "u")), (0, .queueCurrent(item: "item-1")),
        (0, .playerCommand(name: "play", item: "item-1")), (5, .soundBegan(item: "item-1", position: 0)),
        (20, .soundEnded(item: "item-1", position: 15, reason: "stall")),
        (20, .itemStalled(item: "item-1", position: 15)), (23, .soundBegan(item: "item-1", position: 15)),
        (40, .soundEnded(item: "item-1", position: 32, reason: "stall")),
        (40, .itemStalled(item: "item-1", position: 32)), (41, .soundBegan(item: "item-1", position: 32)),
        (60, .platformLifecycle(phase: "willResignActive")), (60.5, .platformLifecycle(phase: "didEnterBackground")),
        (61, .soundEnded(item: "item-1", position: 52, reason: "platform")),
        (64, .soundBegan(item: "item-1", position: 52)), (90, .soundEnded(item: "item-1", position: 78, reason: "end")),
    ]

    private func story(_ message: String?) -> RunStory {
        var log = EventLog()
        for (at, kind) in events { log.append(kind, at: Instant(seconds: at)) }
        log.append(.caseEnded(reason: "done"), at: Instant(seconds: 120))
        if let message { log.append(.finding(rule: "a-rule", message: message), at: Instant(seconds: 120)) }
        return RunStory(log: log)
    }

    @Test(arguments: [
        ("in the background the sound is paused", 60...64), ("stall-seconds is 4, must be <= 1", 20...23),
        ("stalls is 2, must be 0; bytes is 7, must be <= 1", 20...23), ("startup is 5, must be < 1", 0...5),
        ("switch-gap is 5, must be < 1", 20...23), ("no event matches item.playedToEnd", 20...23),
        ("main rendition at 34.500 s: sound differs", 43.4...43.6),
        ("item.stalled, item item-1, position 32", 40...41), ("item.stalled, item item-1, position 15", 20...23),
    ])
    func `is at what the finding is about`(message: String, moment: ClosedRange<Double>) throws {
        let window = try #require(story(message).closerLook)
        #expect(window.contains(moment.lowerBound) && window.contains(moment.upperBound), "\(window)")
        #expect(window.upperBound - window.lowerBound < moment.upperBound - moment.lowerBound + 8)
    }

    @Test func `is at the stall where nothing was found, and not at the switch that went well`() throws {
        let window = try #require(story(nil).closerLook)
        #expect(window.contains(20) && window.contains(23) && !window.contains(60))
    }

    @Test func `is at what else went wrong where a finding is about the whole run`() {
        #expect(story("bytes is 9, must be < 1").closerLook?.contains(20) == true)
    }

    @Test(arguments: ["", "at", "at x s", "at nan s", "at 1e400 s", "at -5 s", "at 99999999 s of it"])
    func `stands any message`(message: String) { _ = story(message).closerLook }
}
