internal import SegueBase
package import SeguePlayerModel

/// A scenario without the steps that a platform or app does not support.
package struct AdaptedScenario: Sendable {
    /// The steps that were skipped for one reason.
    package struct Skip: Sendable, Equatable {
        package let reason: String
        package fileprivate(set) var steps: Int
    }

    package let scenario: Scenario
    /// The skipped steps by reason, in the order of the first.
    package private(set) var skips: [Skip] = []
    /// The number of steps that apply to the platform, with the skipped ones.
    package private(set) var stepCount = 0

    /// Adapts a scenario to a platform and app.
    ///
    /// A step whose `if` does not hold has an alternative, and does not count. A step whose `requires` is not met, or
    /// whose act the player does not have, is skipped.
    package init(_ scenario: Scenario, platform: PlatformProfile, app: AppProfile?) {
        let stage = ScenarioStage(platform: platform, app: app)
        guard stage.isPossible else {
            self.scenario = scenario
            return
        }
        var skips: [Skip] = []
        var stepCount = 0
        let tracks = scenario.tracks.map { track in
            var kept: [Scenario.Step] = []
            for step in track.steps where step.alternatives.allSatisfy({ stage.reason(against: $0) == nil }) {
                stepCount += 1
                let reason =
                    step.requires.lazy.compactMap { stage.reason(against: $0) }.first ?? stage.reason(against: step.act)
                guard let reason else {
                    kept.append(step.withoutRequirements(number: kept.count + 1))
                    continue
                }
                if let index = skips.firstIndex(where: { $0.reason == reason }) {
                    skips[index].steps += 1
                } else {
                    skips.append(Skip(reason: reason, steps: 1))
                }
            }
            return Scenario.Track(name: track.name, steps: kept)
        }
        self.scenario = scenario.with(tracks: tracks)
        (self.skips, self.stepCount) = (skips, stepCount)
    }

    /// Adapts a scenario to a real player, whose driver states what it supports.
    ///
    /// Of alternative steps, those for the given platform remain; without one, all.
    init(_ scenario: Scenario, forRealPlayersAs platform: PlatformProfile?) {
        let stage = platform.map { ScenarioStage(platform: $0, app: nil) }
        let tracks = scenario.tracks.map { track in
            let kept = track.steps.filter { step in
                step.alternatives.allSatisfy { stage?.reason(against: $0) == nil }
            }
            let steps = kept.enumerated().map { $1.withoutRequirements(number: $0 + 1) }
            return Scenario.Track(name: track.name, steps: steps)
        }
        self.scenario = scenario.with(tracks: tracks)
        stepCount = tracks.reduce(0) { $0 + $1.steps.count }
    }

    /// The number of skipped steps.
    package var skipped: Int { skips.reduce(0) { $0 + $1.steps } }

    /// A remark for each reason.
    package var remarks: [Finding] {
        skips.map { skip in
            Finding(.stepSkipped, "\(skip.steps) of \(stepCount, of: "step") skipped: \(skip.reason)")
        }
    }
}
