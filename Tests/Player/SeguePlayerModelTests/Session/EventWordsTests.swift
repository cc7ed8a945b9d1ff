import SegueEvents
import SegueFetch
import Testing

@testable import SeguePlayerModel

@Suite struct `Words of events` {
    @Test func `are those of the types that provide them`() {
        let words: [(kind: EventKind, field: String, words: [String])] = [
            (.platformLifecycle(phase: ""), "phase", Lifecycle.Step.allCases.map(\.rawValue)),
            (.platformRoute(route: "", hasPicture: false), "route", AudioRoute.allCases.map(\.rawValue)),
            (.playerTimeControl(status: "", waitingFor: ""), "status", controls.map(\.name)),
            (
                .playerTimeControl(status: "", waitingFor: ""), "waitingFor",
                [""] + WaitingReason.allCases.map(\.rawValue)
            ),
            (.streamState(item: "", state: "", stopReason: ""), "state", StreamCourse.State.allCases.map(\.rawValue)),
            (
                .streamState(item: "", state: "", stopReason: ""), "stopReason",
                StreamCourse.StopReason.allCases.map(\.rawValue)
            ),
            (
                .interstitialEnded(item: "", interstitial: "", reason: "", played: 0, position: 0), "reason",
                InterstitialPlayer.End.allCases.map(\.rawValue)
            ),
            (
                .scanEnded(item: "", position: 0, frames: 0, reason: ""), "reason",
                ItemScanner.End.allCases.map(\.rawValue)
            ),
            (.requestFailed(request: 0, reason: "", message: ""), "reason", FetchError.Reason.allCases.map(\.rawValue)),
        ]
        for (kind, field, words) in words {
            let listed = kind.declaration.words[field]
            #expect(Set(listed ?? []) == Set(words), "\(kind.name) \(field)")
            #expect(kind.record.fields.contains { $0.name == field })
        }
    }

    /// One of each.
    ///
    /// A missing case does not compile in the switch.
    private var controls: [TimeControl] {
        func next(_ control: TimeControl) -> TimeControl? {
            switch control {
            case .paused: .waiting(.noItemToPlay)
            case .waiting: .playing
            case .playing: nil
            }
        }
        return Array(sequence(first: .paused, next: next))
    }
}
