import SegueBase
import SegueEvents
import Testing

@testable import SegueCharts

@Suite struct `The closer look` {
    /// Stalls at 20 s for 3 s and at 40 s for 1 s; enters the background at 60 s, and is silent from 61 s to 64 s.
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

    private func story(_ subject: RunTimeline.Subject?, at: Double = 120) -> RunTimeline {
        var log = EventLog()
        for (at, kind) in events { log.append(kind, at: Instant(seconds: at)) }
        log.append(.caseEnded(reason: "done"), at: Instant(seconds: 120))
        var story = RunTimeline(log: log)
        story.findings = [RunTimeline.Finding(rule: "a-rule", message: "a message", at: at, subject: subject)]
        return story
    }

    @Test(
        arguments: [
            (.background, 60...64), (.stall, 20...23), (.start, 0...5), (.silence, 20...23), (.ending, 20...23),
            (.position(34.5), 43.4...43.6),
        ] as [(RunTimeline.Subject, ClosedRange<Double>)]
    )
    func `shows the subject of the finding`(subject: RunTimeline.Subject, moment: ClosedRange<Double>) throws {
        try expect(story(subject), at: moment)
    }

    @Test(arguments: [(40, 40...41), (20, 20...23)] as [(Double, ClosedRange<Double>)])
    func `shows the moment of the finding`(at: Double, moment: ClosedRange<Double>) throws {
        try expect(story(.moment, at: at), at: moment)
    }

    private func expect(_ story: RunTimeline, at moment: ClosedRange<Double>) throws {
        let window = try #require(story.closerLook)
        #expect(window.contains(moment.lowerBound) && window.contains(moment.upperBound), "\(window)")
        #expect(window.upperBound - window.lowerBound < moment.upperBound - moment.lowerBound + 8)
    }

    @Test func `shows the stall without findings, not the switch that went well`() throws {
        var story = story(nil)
        story.findings = []
        let window = try #require(story.closerLook)
        #expect(window.contains(20) && window.contains(23) && !window.contains(60))
    }

    @Test func `shows the stall for a finding about the whole run, such as one of a log`() {
        #expect(story(nil).closerLook?.contains(20) == true)
    }

    @Test(arguments: [-5, 99_999_999, .infinity, .nan] as [Double])
    func `accepts any position`(position: Double) { _ = story(.position(position)).closerLook }
}
