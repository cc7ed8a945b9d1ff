import Foundation
import SegueBase
import SegueEvents
import Testing

@testable import SeguePlayerModel

@Suite struct `Transitions of a run` {
    private func trace(_ events: [(Double, EventKind)]) -> TransitionTrace {
        var log = EventLog()
        for (at, kind) in events { log.append(kind, at: Instant(seconds: at)) }
        return TransitionTrace(log: log)
    }

    private func words(_ trace: TransitionTrace) -> [String] {
        trace.steps.map { trace.transition(of: $0).description }
    }

    @Test func `a transition has the states before and after, and its cause`() {
        let trace = trace([
            (1, .itemLoading(item: "a")),
            (2, .segmentLoaded(item: "a", stream: "s", number: 0, bytes: 1, start: 0, duration: 1, seconds: 1)),
            (2, .itemTracksKnown(item: "a", hasVideo: true, hasAudio: true)),
            (2, .itemReadyToPlay(item: "a", duration: 9)),
            (2, .playerTimeControl(status: "playing", waitingFor: "")),
            (3, .playerTimeControl(status: "waiting", waitingFor: "toMinimizeStalls")),
        ])
        #expect(
            words(trace) == [
                "item: queued → loading, on time", "item: loading → first segment, on segment",
                "item: first segment → tracks known, on segment", "item: tracks known → ready, on tracks known",
                "playback: paused → playing, on item ready", "playback: playing → waiting (toMinimizeStalls), on time",
            ]
        )
        #expect(trace.steps.map(\.at) == [1, 2, 2, 2, 2, 3])
        #expect(trace.steps.map(\.item) == ["a", "a", "a", "a", nil, nil])
    }

    @Test func `each item has its own states, and equal transitions are counted`() {
        let trace = trace([(1, .itemLoading(item: "a")), (1, .itemLoading(item: "b"))])
        #expect(trace.countsByActor == ["player": ["item: queued → loading, on time": 2]])
        #expect(trace.steps.map(\.item) == ["a", "b"])
    }

    @Test func `calls that follow a step of the scenario are the user's until the app decides`() {
        let trace = trace([
            (1, .stepBegan(number: 1, step: "play")), (1, .playerCommand(name: "play", item: "a")),
            (2, .stepBegan(number: 2, step: "background")), (2, .platformLifecycle(phase: "didEnterBackground")),
            (2, .appDecided(policy: "p", decision: "resume", reason: "it played")),
            (2, .playerCommand(name: "play", item: "a")), (3, .playerCommand(name: "pause", item: "a")),
        ])
        #expect(
            trace.countsByActor["app"] == [
                "controls: start → play, on the user": 1,
                "policy: start → resume, as it played, on didEnterBackground": 1,
                "calls: start → play, on didEnterBackground": 1, "calls: play → pause, on time": 1,
            ]
        )
    }

    @Test func `a cause counts only at its instant`() {
        let trace = trace([
            (1, .platformLifecycle(phase: "didEnterBackground")), (2, .backgroundTaskBegan(policy: "p")),
        ])
        #expect(trace.countsByActor["app"] == ["background task: none → held, on time": 1])
    }

    @Test func `what the app declares and the platform silences are transitions`() {
        let trace = trace([
            (1, .platformOtherAudio(isPlaying: true, reason: "r")),
            (1, .platformOutput(isAudible: false, reason: "its category is soloAmbient")),
            (1, .appMisdeclared(policy: "p", key: "k", problem: "x", fix: "f")),
        ])
        #expect(
            words(trace) == [
                "other audio: none → playing, on time",
                "output: audible → silenced, as its category is soloAmbient, on other audio",
                "declaration: start → k: x, on other audio",
            ]
        )
    }

    @Test func `the rejection of an item is a transition of the media service`() throws {
        let trace = trace([
            (1, .platformBelief(item: "a", hasVideo: true)), (1, .platformRejected(item: "a", reason: "r")),
        ])
        let last = try #require(trace.steps.last.map { trace.transition(of: $0) })
        #expect(last.actor == .platform && last.event == "platform.rejected" && last.from == "video")
    }

    @Test func `steps and distinct transitions have limits`() {
        func transition(_ number: Int) -> Transition {
            Transition(.policy, from: "a", on: "time", to: "\(number)", event: "app.decided")
        }
        var trace = TransitionTrace()
        for _ in 0...TransitionTrace.mostSteps { trace.add(transition(0), at: 0, item: nil) }
        #expect(trace.steps.count == TransitionTrace.mostSteps && trace.counts == [TransitionTrace.mostSteps + 1])
        for number in 0...TransitionTrace.mostTransitions { trace.add(transition(number), at: 0, item: nil) }
        #expect(trace.transitions.count == TransitionTrace.mostTransitions)
    }

    @Test func `a trace survives its JSON, and a step without a transition is an error`() throws {
        let trace = trace([(1.25, .itemLoading(item: "a")), (2, .platformLifecycle(phase: "locked"))])
        let json = try JSONEncoder().encode(trace)
        #expect(try JSONDecoder().decode(TransitionTrace.self, from: json) == trace)
        let wrong = #"{"transitions":[],"counts":[],"steps":[[1,0]]}"#
        #expect(throws: DecodingError.self) { try JSONDecoder().decode(TransitionTrace.self, from: Data(wrong.utf8)) }
    }
}
